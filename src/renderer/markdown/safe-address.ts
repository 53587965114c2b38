/** Where a link in a model's answer may lead; anything else is no link. */
const LINKS = new Set(['https:', 'http:', 'mailto:'])

/** The address if it may be opened from an answer, else undefined. Relative ones lead nowhere outside a web page. */
export function safeLink(address: string | undefined): string | undefined {
  const url = URL.parse(address ?? '')
  return url && LINKS.has(url.protocol) ? url.href : undefined
}

/** The address if it is a picture in the text itself; a picture from the network would tell its server who reads. */
export function safeImage(address: string | undefined): string | undefined {
  return /^(?:data:image\/(?:png|jpeg|gif|webp|avif|svg\+xml)[;,]|blob:)/iu.test(address ?? '')
    ? address
    : undefined
}
