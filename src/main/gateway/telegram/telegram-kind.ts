import { isRefusal, type Refusal } from '../../lib/expected-errors.ts'
import { readServiceAddress } from '../../lib/network/web-address.ts'
import type { PlatformKind } from '../platform.ts'

const OFFICIAL_ADDRESS = 'https://api.telegram.org'

/** Telegram as a messenger that can be switched on. `address`: what the setting says, read each time it is opened. */
export function describeTelegram(address: () => string): PlatformKind {
  const current = () => {
    const read = readServiceAddress(address(), OFFICIAL_ADDRESS)
    return isRefusal(read) ? OFFICIAL_ADDRESS : read
  }
  return {
    name: 'telegram',
    title: 'Telegram',
    keyName: 'TELEGRAM_BOT_TOKEN',
    address: current,
    readKey: readBotToken,
    isPoll: ({ pathname }) => pathname.endsWith('/getUpdates'),
    async open({ key, fetch, now }) {
      // Nothing of Telegram is loaded before somebody uses it.
      const { openTelegram } = await import('./open-telegram.ts')
      const token = readBotToken(key)
      return openTelegram({ token: isRefusal(token) ? '' : token, address: current(), fetch, now })
    },
  }
}

/** A token as BotFather gives it, without what was copied along. It becomes part of addresses, so nothing else may be in it. */
function readBotToken(text: string): string | Refusal {
  const token = text.trim()
  if (/^\d{3,20}:[\w-]{20,100}$/.test(token)) return token
  return {
    refused:
      'This is not a bot token. BotFather shows it as a number, a colon and about 35 letters and digits.',
  }
}
