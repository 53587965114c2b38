import { textOf } from './front-value.ts'
import type { AddIssue } from '../types.ts'
import { lineOfField } from './lint-form.ts'
import type { SkillReading } from './read-skill.ts'

const SHORTEST = 20
/** Words that say when to use a skill. */
const WHEN = new RegExp(
  [
    String.raw`\b(?:when(?:ever)?|if|before|after|while|during|whether|trigger(?:s|ed)?|invoked?|needs?|needing|asks?|asking|wants?)\b`,
    String.raw`(?:^|[-.;:,!?–—(] *)(?:can be |should be |must be |only )?used?\b`,
    String.raw`\b(?:use (?:this|it|for|to|in|on|as)|useful|ideal|best|perfect|suitable|intended|meant|designed|appl(?:y|ies) to)\b`,
    String.raw`(?:^|[.,;:] )for\b`,
  ].join('|'),
  'i',
)
const ONLY_WHEN =
  /^(?:use|used|invoke|trigger|apply)?\s*(?:this skill\s*)?(?:only\s*)?(?:when|whenever|if|before|after|while)\b/i
const PLACEHOLDER =
  /^\W{0,3}(?:TODO|FIXME|TBD)\b|\blorem ipsum\b|\bdescription (?:goes )?here\b|^(?:a |your )?description\W*$/i

/** Check whether the description lets an agent see what the skill does and when to load it. */
export function lintDescription({ front, split }: SkillReading, note: AddIssue): void {
  const text = textOf(front['description'])?.trim() ?? ''
  if (text === '') return
  const line = lineOfField(split, 'description')
  if (PLACEHOLDER.test(text)) {
    note(
      line,
      'warning',
      'placeholder',
      'The description is a placeholder. Say what the skill does and when to use it.',
    )
    return
  }
  // The word lists are English, so only the length is checked in other languages.
  if (!isEnglish(text)) return
  if (text.length < SHORTEST) {
    note(
      line,
      'warning',
      'description-short',
      'The description says too little to choose the skill by. Say what it does and when to use it.',
    )
  } else if (!WHEN.test(text)) {
    note(
      line,
      'warning',
      'description-when',
      'The description does not say when to use the skill. Add a sentence such as “Use when …”.',
    )
  } else if (ONLY_WHEN.test(text) && !/[.;:–—]\s/.test(text)) {
    note(
      line,
      'info',
      'description-what',
      'The description says when to use the skill, but not what it does. Begin with that.',
    )
  }
}

function isEnglish(text: string): boolean {
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  const ascii = text.match(/[a-z]/gi)?.length ?? 0
  if (ascii < letters * 0.9) return false
  return !/\b(?:der|die|das|und|wenn|für|oder|les|des|une|pour|quand|avec|los|las|una|para|cuando|gli|quando|como|het|een|voor)\b/i.test(
    text,
  )
}
