import { z } from 'zod'
import { isRefusal } from '../../lib/expected-errors.ts'
import { readProxyAddress } from '../../lib/network/proxy-address.ts'
import { flag, groupFor, withText, text, wholeNumber } from './setting-rules.ts'
import { readServiceAddress } from '../../lib/network/web-address.ts'

const TELEGRAM = 'https://api.telegram.org'
const WHAT = `${TELEGRAM}, or a server on this computer such as http://127.0.0.1:8081`

/** Settings of messengers. Who may write there is not a setting; it is decided on the computer. */
export const GatewaySettings = groupFor(['messengers'], {
  telegram_address: withText(
    z
      .string(WHAT)
      .max(2_000, 'at most 2000 characters')
      .refine(text => !isRefusal(readServiceAddress(text, TELEGRAM)), WHAT)
      .default(TELEGRAM),
    'Address of Telegram',
    'The server for Telegram: its own servers, or a Bot API server on this computer. The key of your bot is sent there and nowhere else.',
    { since: 4, restart: true },
  ),
})

/** Settings of the server for other programs. */
export const ApiSettings = groupFor(['other programs'], {
  enabled: withText(
    flag.default(false),
    'Answer other programs',
    'Programs on this computer that use the API of OpenAI or Anthropic can use your models, with a key. Other computers get no answer.',
    { since: 4, where: 'talaria api status' },
  ),
  port: withText(
    wholeNumber(1_024, 65_535).default(4_737),
    'Port',
    'The port on this computer that programs connect to.',
    { since: 4 },
  ),
  agent_tools: withText(
    flag.default(false),
    'Tools for programs that ask the agent',
    'The model “talaria” is the whole agent. With this on, it may read in the folder of new chats and search. Calls that need your approval are denied.',
    { since: 4 },
  ),
  origins: withText(
    z.array(text(253), 'a list of addresses').default([]),
    'Pages that may use the API',
    'Addresses of web pages that may use the API from a browser, such as http://localhost:3000. Programs need no entry.',
    { since: 4 },
  ),
})

/** Settings of everything that uses the network. */
export const NetworkSettings = groupFor(['everything that uses the network'], {
  offline: withText(
    flag.default(false),
    'Offline lock',
    'Nothing leaves this computer. Models and servers on this computer still work.',
  ),
  proxy: withText(
    z
      .string('an address such as http://proxy.example:3128')
      .max(2_000, 'at most 2000 characters')
      .refine(
        text => /^(?:off)?$/i.test(text.trim()) || !isRefusal(readProxyAddress(text)),
        'an address such as http://proxy.example:3128, “off”, or nothing',
      )
      .default(''),
    'Proxy',
    'Address of the proxy for everything that leaves this computer, such as http://proxy.example:3128. Empty uses HTTP_PROXY, HTTPS_PROXY and ALL_PROXY, “off” uses none.',
    { since: 4, masked: true },
  ),
  no_proxy: withText(
    z.string('a list of hosts').max(10_000, 'at most 10000 characters').default(''),
    'Hosts without the proxy',
    'Hosts to reach directly, separated by commas, such as intranet.example, 10.0.0.0/8. Hosts in NO_PROXY and this computer are always reached directly.',
    { since: 4 },
  ),
  allow_fake_dns: withText(
    flag.default(false),
    'Placeholder addresses of a VPN',
    'Some VPNs and proxies on this computer answer every name with an address between 198.18.0.0 and 198.19.255.255. Set this if yours does. Until then such pages are not read.',
    { since: 4, usedBy: ['reading pages of the web'] },
  ),
  hub_mirror: withText(
    z
      .string('an address such as https://mirror.example')
      .max(2_000, 'at most 2000 characters')
      .refine(
        text => /^(off|https?:\/\/[^\s/@]+(\/\S*)?)?$/i.test(text.trim()),
        'an address such as https://mirror.example, “off”, or nothing',
      )
      .default(''),
    'Mirror of the model hub',
    'Address to use instead of huggingface.co for model files. It gets no token unless it is on this computer. Empty uses HF_ENDPOINT, “off” uses none.',
    { since: 4, usedBy: ['downloads of models'] },
  ),
  hub_token_file: withText(
    flag.default(false),
    'Token of the hub’s own programs',
    'Read the token that they keep (HF_TOKEN_PATH, HF_HOME or ~/.cache/huggingface/token) where HF_TOKEN is not set. It is sent to huggingface.co, or a mirror on this computer, and to no other host.',
    { since: 4, usedBy: ['downloads of models'] },
  ),
})

const names = z.array(text(40), 'a list of names of sources')

/** Settings for searching and reading the web. */
export const WebSettings = groupFor(['web_search', 'web_read', 'searches with /web'], {
  sources_off: withText(
    names.default([]),
    'Search sources to skip',
    'Names of search sources that Talaria never asks, such as duckduckgo.',
    { since: 4, where: 'talaria web sources' },
  ),
  sources_first: withText(
    names.default([]),
    'Search sources to ask first',
    'Names of search sources to ask before all others, in this order. If it is empty, sources that you set up with a key or an address come first.',
    { since: 4, where: 'talaria web sources' },
  ),
  private_hosts: withText(
    z.array(text(253), 'a list of hosts').default([]),
    'Hosts of your own network',
    'Hosts of this computer or your own network whose pages may be read, as written in an address, such as localhost:3000 or wiki.intranet. You are asked about other hosts there each time.',
    { since: 4 },
  ),
  look_in_browser: withText(
    flag.default(false),
    'Look at pages in a browser',
    'An installed Chromium, Chrome or Edge lays out each page, without scripts or network, to find hidden text. It finds more than the styles of the page reveal, and takes some seconds per page.',
    { since: 4 },
  ),
})
