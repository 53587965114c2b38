import { z } from 'zod'
import { flag, groupFor, text, withText } from './setting-rules.ts'

const names = z.array(text(40), 'a list of names of sources')

/** Settings of searching and reading the web. */
export const WebSettings = groupFor(['web_search', 'web_read', 'searches with /web'], {
  sources_off: withText(
    names.default([]),
    'Sources that are off',
    'Names of sources of searches that are never asked, such as duckduckgo.',
    { since: 4, where: 'talaria web sources' },
  ),
  sources_first: withText(
    names.default([]),
    'Sources that are asked first',
    'Names of sources in the order in which they are asked, before all others. Without it those come first that you set up with a key or an address.',
    { since: 4, where: 'talaria web sources' },
  ),
  private_hosts: withText(
    z.array(text(253), 'a list of hosts').default([]),
    'Hosts of your own network',
    'Hosts of this computer or your own network whose pages may be read, as they stand in an address, such as localhost:3000 or wiki.intranet. Others there ask each time.',
    { since: 4 },
  ),
  look_in_browser: withText(
    flag.default(false),
    'Look at pages in a browser',
    'An installed Chromium, Chrome or Edge lays each page out, without scripts or network, to find what nobody sees on it. It finds more than the styles of the page say, and takes some seconds a page.',
    { since: 4 },
  ),
})
