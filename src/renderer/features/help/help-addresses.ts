import { hashOf } from '../../route.ts'

/**
 * What the links and pictures of a page of Help lead to: another page, a heading, or a picture that came with it. Undefined for other
 * addresses, such as those of the web.
 */
export const helpAddresses =
  (
    id: string,
    { ids, pictures }: { ids: ReadonlySet<string>; pictures: Readonly<Record<string, string>> },
  ): ((address: string, key: string) => string | undefined) =>
  (address, key) => {
    // The base only makes relative addresses whole.
    const url = URL.parse(address, `${BASE}${id}.md`)
    if (url === null || !url.href.startsWith(BASE)) return undefined
    const path = url.pathname.slice(1)
    if (key === 'src') return path.startsWith(IMAGES) ? pictures[path.slice(IMAGES.length)] : undefined
    const page = path.replace(/\.md$/, '')
    return ids.has(page) ? hashOf({ page: 'help', itemId: page, tab: url.hash.slice(1) || null }) : undefined
  }

const BASE = 'docs://help/'
const IMAGES = 'images/'
