import { z } from 'zod'
import { isRefusal } from '../lib/expected-errors.ts'
import { readServiceAddress } from '../lib/service-address.ts'
import { groupFor, withText } from './setting-rules.ts'

const TELEGRAM = 'https://api.telegram.org'
const WHAT = `${TELEGRAM}, or a server on this computer such as http://127.0.0.1:8081`

/** Settings of messengers. Who may speak there is no setting: it is decided at the computer. */
export const GatewaySettings = groupFor(['messengers'], {
  telegram_address: withText(
    z
      .string(WHAT)
      .max(2_000, 'at most 2000 characters')
      .refine(text => !isRefusal(readServiceAddress(text, TELEGRAM)), WHAT)
      .default(TELEGRAM),
    'Address of Telegram',
    'Where Telegram is asked: its own servers, or a Bot API server that runs on this computer. The key of your bot is sent there and nowhere else.',
    { since: 4, restart: true },
  ),
})
