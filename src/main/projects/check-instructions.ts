import { Fault } from '../../shared/rpc.ts'
import { invisibleIn, unsafeReason } from '../memory/unsafe-text.ts'

/**
 * The text of instructions, tidied. The person may tell a model whatever they want, but not with characters that they cannot see,
 * which a text copied from elsewhere may hold. A text from a file is checked as those of strangers are. Throws a `bad_input` Fault.
 */
export function checkInstructions(given: string, isFromFile: boolean): string {
  const text = given.replace(/\r\n?/g, '\n').trim()
  const hidden = invisibleIn(text) ?? /(?![\t\n])\p{Cc}/u.exec(text)?.[0]
  if (hidden !== undefined)
    throw new Fault(
      'bad_input',
      `The instructions hold characters that you cannot see (${codeOf(hidden)}), but a model reads them. Type that place anew.`,
    )
  const reason = isFromFile ? unsafeReason(text, 'project') : undefined
  if (reason !== undefined)
    throw new Fault('bad_input', `The instructions were not taken over: the text of the file ${reason}.`)
  return text
}

/** `invisibleIn` names the character already. */
const codeOf = (found: string) =>
  found.startsWith('U+') ? found : `U+${found.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`
