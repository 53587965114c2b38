import { isBehindClause, lowerCased, type UnreadToken } from './unread-tokens.ts'
import { isKind, isSign } from '../read/time-tokens.ts'

const CITIES = new Set([
  ...Intl.supportedValuesOf('timeZone').map(zone => zone.split('/').at(-1)!.split('_')[0]!.toLowerCase()),
  ...'tokio washington boston peking wien zürich rom paris mailand moskau lissabon athen warschau prag kopenhagen brüssel kairo delhi mumbai'.split(
    ' ',
  ),
])

const REGION = /^(africa|america|antarctica|asia|atlantic|australia|europe|indian|pacific|etc)$/i

/** Whether a zone follows a clause: `UTC`, `Berlin time`, `Londoner Zeit`, `in New York`. */
export function isZone({ token, tokens, at, isAfterClause }: UnreadToken): boolean {
  if (isKind(token, 'zone') && (/^\p{Lu}+$/u.test(token.text) || isAfterClause)) return true
  if (REGION.test(token.text) && isSign(tokens[at + 1], '/') && tokens[at + 1]!.isGlued) return true
  if (!isAfterClause) return false
  const start = isSign(token, '(,') || isKind(token, 'in') ? at + 1 : at
  const names = tokens.slice(start, start + 4)
  const isCity = CITIES.has(names[0]?.text.toLowerCase() ?? '')
  if (isCity && (isKind(token, 'in') || /^\p{Lu}/u.test(names[0]!.text))) return true
  if (isSign(names[1], '/') && names[1]!.isGlued && /^\p{Lu}/u.test(names[0]!.text)) return true
  return names
    .slice(0, 3)
    .some(
      (each, index) =>
        /^(time|zeit|ortszeit)$/i.test(each.text) && (index === 0 || /^\p{Lu}/u.test(names[0]!.text)),
    )
}

/** Whether it is the zone of someone or something else: `their time`, `server time`, `japanischer Zeit`. */
export const isOtherTime = (left: UnreadToken): boolean =>
  isBehindClause(left) && /^(time|zeit)$/.test(lowerCased(left.after)) && namesOther(left)

const namesOther = ({ token, tokens, at }: UnreadToken) =>
  (lowerCased(token) === 'local' && isKind(tokens[at + 2], 'in')) ||
  /^(their|his|her|server|summer|winter|standard|daylight|zulu)$|(isch|er)er$/.test(lowerCased(token))
