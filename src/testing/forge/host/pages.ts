// Lists come in pages, with the addresses of the others in a header.
import type { Answer, Exchange } from './request.js';

export interface PageNames {
  /** Parameter that says how many. */
  readonly size: string;
  readonly most: number;
  readonly usual: number;
}

export interface Paged<Item> {
  readonly items: readonly Item[];
  readonly page: number;
  readonly size: number;
  readonly pages: number;
  readonly total: number;
  /** Value of the `Link` header; undefined where there is one page only. */
  readonly link: string | undefined;
}

/** More than the most is cut down, as the hosts do; what is no number counts as left out. */
export function paged<Item>(
  all: readonly Item[],
  { query }: Pick<Exchange, 'query'>,
  options: PageNames & { readonly address: string },
): Paged<Item> {
  const read = (name: string, usual: number) => {
    const value = Number(query.get(name) ?? Number.NaN);
    return Number.isInteger(value) && value > 0 ? value : usual;
  };
  const size = Math.min(read(options.size, options.usual), options.most);
  const page = read('page', 1);
  const pages = Math.max(1, Math.ceil(all.length / size));
  const link = (rel: string, number: number) => {
    const more = new URLSearchParams(query);
    more.set('page', String(number));
    return `<${options.address}?${more}>; rel="${rel}"`;
  };
  const links = [
    ...(page > 1 ? [link('prev', page - 1), link('first', 1)] : []),
    ...(page < pages ? [link('next', page + 1), link('last', pages)] : []),
  ];
  return {
    ...{ page, size, pages },
    items: all.slice((page - 1) * size, page * size),
    total: all.length,
    link: links.length === 0 ? undefined : links.join(', '),
  };
}

export function pageAnswer(body: unknown, { link }: Pick<Paged<unknown>, 'link'>): Answer {
  return { status: 200, body, ...(link === undefined ? {} : { headers: { link } }) };
}
