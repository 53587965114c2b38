/** Protocols allowed for links in answers. Anything else is shown as text. */
const LINKS = new Set(['https:', 'http:', 'mailto:'])

/**
 * The address if an answer may link to it; otherwise undefined. Relative addresses need a base, so they fail.
 *
 * @internal Its test tells links from pictures with it.
 */
export function safeLink(address: string | undefined): string | undefined {
  const url = URL.parse(address ?? '')
  return url && LINKS.has(url.protocol) ? url.href : undefined
}

/**
 * The address if the image is embedded in the text. A remote image would reveal the reader to its server.
 *
 * @internal Its test tells pictures from links with it.
 */
export function safeImage(address: string | undefined): string | undefined {
  return /^(?:data:image\/(?:png|jpeg|gif|webp|avif|svg\+xml)[;,]|blob:)/iu.test(address ?? '')
    ? address
    : undefined
}

/** The safe address for a picture or a link in the text; undefined if it is not safe. */
export const safeAddress = (address: string, key: string): string | undefined =>
  key === 'src' ? safeImage(address) : safeLink(address)
