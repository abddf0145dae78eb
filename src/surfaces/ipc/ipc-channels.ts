/** The channels beside those of the operations. */
export const ipcChannels = {
  cancel: 'galley:cancel',
  text: 'galley:text',
  progress: 'galley:progress',
} as const;
