/** What the preload gives the page when it runs inside Electron; a plain browser has none of it. */
export type Desktop = {
  /** Ask the main process for a message port; it arrives as a window message with the text `host-port`. */
  requestPort(): void
  /** Where a file lies that was dropped on the page; empty for one that lies nowhere. */
  pathOf(file: object): string
}
