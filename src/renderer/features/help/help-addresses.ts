import { hashOf } from '../../route.ts'

/**
 * Resolve links and pictures of a Help page: to another page, a heading, or a shipped picture. Undefined for
 * other addresses, such as web addresses.
 */
export const helpAddresses =
  (
    id: string,
    { ids, pictures }: { ids: ReadonlySet<string>; pictures: Readonly<Record<string, string>> },
  ): ((address: string, key: string) => string | undefined) =>
  (address, key) => {
    // The base only resolves relative addresses.
    const url = URL.parse(address, `${BASE}${id}.md`)
    if (url === null || !url.href.startsWith(BASE)) return undefined
    const path = url.pathname.slice(1)
    if (key === 'src') return path.startsWith(IMAGES) ? pictures[path.slice(IMAGES.length)] : undefined
    const page = path.replace(/\.md$/, '')
    return ids.has(page) ? hashOf({ page: 'help', itemId: page, tab: url.hash.slice(1) || null }) : undefined
  }

const BASE = 'docs://help/'
const IMAGES = 'images/'
