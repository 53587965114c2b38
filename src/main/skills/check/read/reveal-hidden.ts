import type { Unit } from '../rule.ts'
import { invisibleAsGaps, tagText, normaliseLine } from './normalise.ts'
import { votesOf } from '../all-rules.ts'
import type { Line } from './read-units.ts'

/** Maximum number of hidden texts to decode per file, so that a file full of encodings stays fast to scan. */
const MOST = 400

/** Hidden text in a file: encoded, invisible or spaced out. Each unit states how it was hidden. */
export function revealUnits(lines: readonly Line[]): Unit[] {
  const units: Unit[] = []
  const whole = lines.map(({ text }) => text).join('\n')
  const signs = {
    rot13: ROT13.test(whole),
    backwards: BACKWARDS.test(whole),
    spelt: SPELT.test(whole),
    escaped: ESCAPED.test(whole),
  }
  for (const line of lines) {
    if (line.kind === 'blank' && line.raw.trim() === '') continue
    for (const [text, how] of hiddenIn(line, signs)) {
      if (units.length >= MOST) return units
      const kind = line.kind === 'blank' ? 'prose' : line.kind
      // Decoded text may be code or prose, so check it as both.
      const found = normaliseLine(text).slice(0, 4_000)
      const votes = votesOf(found)
      for (const each of kind === 'prose' ? ([kind, 'code'] as const) : ([kind, 'prose'] as const))
        units.push({
          kind: each,
          text: found,
          starts: [0],
          numbers: [line.number],
          hidden: how,
          votes,
          badExample: false,
          lead: '',
        })
    }
  }
  return [...units, ...unshell(lines)]
}

/** The encodings that occur in a file. Others are not tried on its lines. */
type Signs = { rot13: boolean; backwards: boolean; spelt: boolean; escaped: boolean }

const ROT13 = /(?:vtaber|vafgehpgvba|flfgrz cebzcg|phey |onfu|rkrphgr|cerivbhf|onfr64|cnffjbeq)/
const BACKWARDS = /(?:erongi|snoitcurtsni|tpmorp metsys| lruc|hsab|drowssap|fr- mr)/
const SPELT = /(?:^|[ \n])(?:[a-z][ ._*-]){5}/
const SPELT_WORD = /(?<![a-z])(?:[a-z][ ._*-]){1,60}[a-z](?![a-z])/gi
const unspelt = (word: string) => word.replace(/[ ._*-]/g, '')
const ESCAPED = /(?:\\x[0-9a-f]{2}|\\u\{?00[0-9a-f]{2}|\\[0-7]{3}|%[0-9a-f]{2}|&#x?[0-9a-f]{2})/i

function hiddenIn({ raw, text, kind }: Line, signs: Signs): [text: string, how: string][] {
  const line = raw.length > 40_000 ? raw.slice(0, 40_000) : raw
  const found: [string, string][] = []
  if (line.length < 6) return found
  const add = (what: string, how: string) => {
    if (/[a-z]{3}/i.test(what)) found.push([what, how])
  }
  if (isForeign(line)) {
    add(tagText(line), 'in invisible tag characters')
    const gaps = invisibleAsGaps(line)
    if (gaps !== line) add(gaps, 'with invisible characters between words')
  }
  for (const [blob] of line.matchAll(/[A-Za-z0-9+/_-]{16,20000}={0,2}/g)) add(fromBase64(blob), 'as Base64')
  if (line.length > 15)
    for (const [blob] of line.matchAll(/\b(?:0x)?[0-9a-fA-F]{16,20000}\b/g))
      add(fromHex(blob), 'as hexadecimal')
  if (signs.escaped && ESCAPED.test(line)) {
    const plain = unescaped(line)
    if (plain !== line) add(plain, 'in escapes')
  }
  for (const [, list] of line.matchAll(/\[((?: ?(?:0x)?[0-9a-f]{2,3} ?,){4,2000} ?(?:0x)?[0-9a-f]{2,3})/gi))
    add(fromNumbers(list!.split(',')), 'as numbers')
  const chars = [...line.matchAll(/\b(?:chr|char|fromcharcode)\]? ?\(? ?(\d{2,3})\b/gi)]
  if (chars.length > 3) add(fromNumbers(chars.map(([, number]) => number!)), 'as numbers')
  if (signs.rot13 && ROT13.test(text)) add(rot13(text), 'in ROT13')
  if (signs.backwards && BACKWARDS.test(text)) add(Array.from(text).toReversed().join(''), 'backwards')
  if (signs.spelt && SPELT.test(text)) {
    add(text.replace(/(?<![a-z])(?:[a-z][ ._*-]){4,60}[a-z](?![a-z])/g, unspelt), 'letter by letter')
    // Wider gaps separate words, which would run together otherwise.
    const words = line.split(/ {2,8}/)
    if (words.length > 2)
      add(words.map(word => word.replace(SPELT_WORD, unspelt)).join(' '), 'letter by letter')
  }
  if (kind !== 'code' && /[a-z][013457@$][a-z]/.test(text)) {
    const plain = text.replace(/[a-z013457@$]{3,30}/g, word =>
      /[a-z]/.test(word) && /[013457@$]/.test(word) ? unleet(word) : word,
    )
    if (/(?:ignore|instruction|previous|system prompt|disregard|restriction)/.test(plain))
      add(plain, 'with digits for letters')
  }
  if (kind === 'prose' || !/['"\\^]|\$\{?ifs|\$[@*]/.test(text)) return found
  const joined = text
    .replace(/(['"]) ?[+.] ?(?:['"])/g, '')
    .replace(/(?<=[a-z])(?:''|"")(?=[a-z])/g, '')
    .replace(/(?<=\b[a-z])['"](?=[a-z])|(?<=[a-z])['"](?=[a-z]\b)/g, '')
    .replace(/(?<=[a-z])\\(?=[a-z]{1,8}\b)/g, '')
    .replace(/\$\{ifs\}|\$ifs\b/g, ' ')
    .replace(/\$[@*](?=[a-z])|(?<=[a-z])\^(?=[a-z])/g, '')
  if (joined !== text) add(joined, 'in parts that are put together')
  return found
}

// eslint-disable-next-line no-control-regex
const isForeign = (text: string) => /[^\x00-\x7f]/.test(text)

/** Whether a text is mostly letters and common characters, as human writing is. */
const isReadable = (text: string) => {
  if (text.length < 6) return false
  // eslint-disable-next-line no-control-regex
  const odd = text.match(/[^\x20-\x7e\t\r\n]/g)?.length ?? 0
  return odd / text.length < 0.08
}

const fromBase64 = (blob: string) => {
  if (!/[A-Z]/.test(blob) || !/[a-z]/.test(blob) || /[_/-][^_/-]{0,12}[_/-]/.test(blob.slice(0, 40)))
    return ''
  if (blob.length < 24 && !blob.endsWith('=') && !/[a-z\d][A-Z]/.test(blob)) return ''
  const text = Buffer.from(blob.replaceAll('-', '+').replaceAll('_', '/'), 'base64').toString('latin1')
  if (isReadable(text)) return text
  // PowerShell's encoded commands are UTF-16.
  const wide = Buffer.from(blob, 'base64').toString('utf16le')
  return isReadable(wide) ? wide : ''
}

const fromHex = (blob: string) => {
  const text = Buffer.from(blob.replace(/^0x/, ''), 'hex').toString('latin1')
  return isReadable(text) ? text : ''
}

const fromNumbers = (numbers: readonly string[]) => {
  const codes = numbers.map(number => Number(number.trim()))
  const text = String.fromCharCode(...codes.slice(0, 2_000).filter(code => code > 8 && code < 0xd800))
  return isReadable(text) ? text : ''
}

const unescaped = (line: string) =>
  line
    .replace(/\\x([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
    .replace(/\\u\{?00([0-9a-f]{2})\}?/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
    .replace(/\\([0-7]{3})/g, (_, code: string) => String.fromCharCode(parseInt(code, 8) & 0xff))
    .replace(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
    .replace(/&#x([0-9a-f]{2,4});?/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
    .replace(/&#(\d{2,3});?/g, (_, code: string) => String.fromCharCode(Number(code)))

const rot13 = (text: string) =>
  text.replace(/[a-z]/g, letter => String.fromCharCode(((letter.charCodeAt(0) - 97 + 13) % 26) + 97))

const LEET: Readonly<Record<string, string>> = {
  0: 'o',
  1: 'i',
  3: 'e',
  4: 'a',
  5: 's',
  7: 't',
  '@': 'a',
  $: 's',
}
const unleet = (word: string) => word.replace(/[013457@$]/g, sign => LEET[sign]!)

const ASSIGNED =
  /(?:^|[;&({ ])([a-z_]\w{0,30}) ?= ?(?:"([^"$]{1,120})"|'([^']{1,120})'|([^\s"'$;|&()]{1,120}))/g
const USED = /\$\{?([a-z_]\w{0,30})\}?/g
const ADDED = /\b([a-z_]\w{0,30})((?: ?\+ ?[a-z_]\w{0,30}){1,8})\b/g

/** Commands of each code block, with variables that the block sets to plain words expanded. */
function unshell(lines: readonly Line[]): Unit[] {
  const units: Unit[] = []
  let values = new Map<string, string>()
  let group = -1
  for (const line of lines) {
    if (line.kind !== 'code') continue
    if (line.group !== group) {
      values = new Map()
      group = line.group
    }
    const text = line.text.slice(0, 2_000)
    for (const [, name, double, single, bare] of text.matchAll(ASSIGNED))
      if (values.size < 100) values.set(name!, double ?? single ?? bare!)
    if (values.size === 0) continue
    const valueOf = (name: string, otherwise: string) => values.get(name) ?? otherwise
    const filled = text
      .replace(USED, (whole, name: string) => valueOf(name, whole))
      .replace(ADDED, (whole: string) =>
        whole
          .split('+')
          .map(name => values.get(name.trim()))
          .every(value => value !== undefined)
          ? `'${whole
              .split('+')
              .map(name => values.get(name.trim()))
              .join('')}'`
          : whole,
      )
    if (filled !== text)
      units.push({
        kind: 'code',
        text: filled.slice(0, 4_000),
        starts: [0],
        numbers: [line.number],
        hidden: 'in parts that are put together',
        votes: votesOf(filled),
        badExample: false,
        lead: '',
      })
  }
  return units
}
