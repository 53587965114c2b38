import { unsafeReason } from './unsafe-text.ts'

/**
 * Everything that a model does, whatever the topic: “any other tool”, “every answer”. If limited to the
 * server or its tools (“any other tool of this server”, “every query”), it is an ordinary hint on using them
 * together.
 */
const ALL = String.raw`(?:any|every|each|all)(?: of)?(?: the| your)?(?: other| single| further| subsequent)? (?:tools?(?: calls?| use)?|function calls?|actions?|repl(?:y|ies)|answers?|responses?|messages?|turns?|commands?)\b(?! (?:here|below|above|(?:of|from|in|on|by|with) (?:this|the|our|that|these)\b))`
const WHEN = String.raw`\b(?:before|prior to|ahead of|after|instead of|in place of)\b(?: (?:you )?(?:us(?:e|ing)|call(?:ing)?|runn?(?:ing)?|invok(?:e|ing)|mak(?:e|ing)|giv(?:e|ing)|writ(?:e|ing)|send(?:ing)?|do(?:ing)?|tak(?:e|ing)))? `
const CALLS = String.raw`\b(?:call|use|invoke|run|execute|apply)\b`
const PUSHING = [
  // “Before any other tool, call this.”
  String.raw`${WHEN}${ALL}[^.!?\n]{0,40}${CALLS}(?! (?:\w+ ){0,2}(?:is|are|was|were)\b)`,
  // “Always call this tool before you use any other tool.”
  String.raw`${CALLS}[^.!?\n]{0,60}${WHEN}${ALL}`,
].map(pattern => new RegExp(pattern.replaceAll(' ', String.raw`\s{1,4}`), 'i'))

/**
 * Whether a text orders the model to call something before, after or instead of everything else.
 * @internal
 */
export const pushesItselfIn = (text: string): boolean => PUSHING.some(pattern => pattern.test(text))

const PUSHES = 'tells the model when to call it, whatever you asked for'

/** The reason why a tool's texts seem to give the model orders, as a sentence; undefined if not. */
export function findOrders(texts: readonly string[]): string | undefined {
  const text = texts.join('\n')
  const unsafe = unsafeReason(text) ?? (pushesItselfIn(text) ? PUSHES : undefined)
  return unsafe && `Its text looks like an attempt to give the model orders: ${unsafe}`
}
