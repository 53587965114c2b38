/**
 * All that a model does, whatever it is about: “any other tool”, “every answer”. With the server or its own tools behind it
 * (“any other tool of this server”, “every query”), it is an ordinary hint of how tools belong together.
 */
const ALL = String.raw`(?:any|every|each|all)(?: of)?(?: the| your)?(?: other| single| further| subsequent)? (?:tools?(?: calls?| use)?|function calls?|actions?|repl(?:y|ies)|answers?|responses?|messages?|turns?|commands?)\b(?! (?:here|below|above|(?:of|from|in|on|by|with) (?:this|the|our|that|these)\b))`
const WHEN = String.raw`\b(?:before|prior to|ahead of|after|instead of|in place of)\b(?: (?:you )?(?:us(?:e|ing)|call(?:ing)?|runn?(?:ing)?|invok(?:e|ing)|mak(?:e|ing)|giv(?:e|ing)|writ(?:e|ing)|send(?:ing)?|do(?:ing)?|tak(?:e|ing)))? `
const CALLS = String.raw`\b(?:call|use|invoke|run|execute|apply)\b`
const PATTERNS = [
  // “Before any other tool, call this.”
  String.raw`${WHEN}${ALL}[^.!?\n]{0,40}${CALLS}(?! (?:\w+ ){0,2}(?:is|are|was|were)\b)`,
  // “Always call this tool before you use any other tool.”
  String.raw`${CALLS}[^.!?\n]{0,60}${WHEN}${ALL}`,
].map(pattern => new RegExp(pattern.replaceAll(' ', String.raw`\s{1,4}`), 'i'))

/** Whether the text of a tool orders the model to call something before, after or instead of all else that it does. */
export const pushesItselfIn = (text: string): boolean => PATTERNS.some(pattern => pattern.test(text))
