/** The API that the preload script gives the page inside Electron; absent in a browser. */
export type Desktop = {
  /**
   * Ask the main process for a message port; it arrives as a window message with the text `host-port`, or is
   * refused.
   */
  requestPort(): void
  /** The path of a file dropped on the page; empty for a file without one. */
  pathOf(file: object): string
}

/** The window message that a page gets if the main process refuses it a port. */
export const portRefused = 'host-port-refused'
