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
    'Hosts that are reached directly, with commas, such as intranet.example, 10.0.0.0/8. Those in NO_PROXY count too, and this computer always.',
    { since: 4 },
  ),
  allow_fake_dns: withText(
    flag.default(false),
    'Invented addresses of a VPN',
    'Some VPNs and proxies on this computer answer every name with an address between 198.18.0.0 and 198.19.255.255. Set this if yours does; until then such pages are not asked for.',
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
    'Address that is asked in place of huggingface.co for model files. It gets no token unless it is on this computer. Empty uses HF_ENDPOINT, “off” uses none.',
    { since: 4, usedBy: ['downloads of models'] },
  ),
  hub_token_file: withText(
    flag.default(false),
    'Token of the hub’s own programs',
    'Read the token that they keep (HF_TOKEN_PATH, HF_HOME or ~/.cache/huggingface/token) where HF_TOKEN is not set. It is sent to huggingface.co, or a mirror on this computer, and to no other host.',
    { since: 4, usedBy: ['downloads of models'] },
  ),
})
