// What the server asks of whoever keeps the page of a folder.

/** How a browser is let in: a key once, a cookie from then on. */
export interface PageDoor {
  readonly id: string;
  /** Cookies know no ports: each page has its own. */
  readonly cookieName: string;
  redeem(key: string): Promise<string | undefined>;
  knows(cookie: string): boolean;
  /** What the page needs to know to begin. */
  start(): Promise<PageStart>;
}

export interface PageStart {
  readonly version: string;
  /** What the folder is called. */
  readonly name: string;
  readonly projectId: string;
  /** Whether there is a store yet; looking makes none. */
  readonly hasStore: boolean;
  readonly isRepository: boolean;
  readonly isBook: boolean;
  /** Whether the folder was made a project of chapters; before that nothing is written to it. */
  readonly isBegun: boolean;
  readonly hasModel: boolean;
  /** Its name, where one is configured. */
  readonly model?: string;
  readonly recent: readonly { readonly name: string; readonly folder: string; readonly openedAt: number }[];
}
