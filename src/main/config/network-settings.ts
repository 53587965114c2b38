import { z } from 'zod'
import { isRefusal } from '../lib/expected-errors.ts'
import { readProxyAddress } from '../lib/proxy-address.ts'
import { flag, groupFor, withText } from './setting-rules.ts'

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
        text => /^\s*(?:off)?\s*$/i.test(text) || !isRefusal(readProxyAddress(text)),
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
    'Hosts that are reached directly, with commas, such as intranet.example, 10.0.0.0/8. Those in NO_PROXY count too, and this computer always.',
    { since: 4 },
  ),
})
