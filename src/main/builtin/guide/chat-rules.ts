import { GUIDE_SAYS } from './guide-sentences.ts'
import { isQuestion, sureCall, withoutQuotes, type Meaning, type Scene } from './guide-scene.ts'

const ABOUT_CHATS = [
  /^(?:search|look|look up|find|check)(?: (?:in|through))?(?: all)?(?: my| our| the| your)?(?: past| earlier| old| previous| other)* (?:chats?|conversations?|discussions?|history|sessions?)(?: (?:for|about|on|where (?:we|i) (?:talked|spoke|discussed|asked(?: you)?|told you|wrote|mentioned)(?: about)?))? (.+)$/i,
  /^(?:find|search for|look for|look up|show me) (?:the |our |a |that |all )?(?:past |earlier |old |previous )?(?:chats?|conversations?|discussions?)(?: (?:about|on|where (?:we|i) (?:talked|spoke|discussed|asked(?: you)?|told you|wrote|mentioned)(?: about)?|with)) (.+)$/i,
  /^(?:find|search for|look for|look up) (.+?) in (?:my|our|the|your)(?: past| earlier| old| previous)* (?:chats?|conversations?|history)$/i,
  /^(?:what|when|where|which|did|have|do you (?:know|remember) what|have)(?: did| have)? (?:we|i|you)(?: ever| last| already)? (?:talk(?:ed)?|discuss(?:ed)?|spoke|speak|spoken|chat(?:ted)?|decide[d]?|say|said|mention(?:ed)?|agree[d]?)(?: (?:about|on|of))? (.+)$/i,
]
const LATEST =
  /^(?:what|which)(?: did| were| are| was| have)?(?: we| i| our| my| the)?(?: talk(?:ed)?| discuss(?:ed)?| do(?:ne)?| speak| spoken| chat(?:ted)?)? ?(?:about )?(?:the )?(?:last time|recently|lately|before|yesterday|last week|in (?:our|the) last chat|earlier)$|^(?:show|list)(?: me)?(?: my| our| the)?(?: past| last| latest| recent| earlier| old| previous)+ (?:chats?|conversations?)$|^(?:what|which) (?:past |earlier |old )?(?:chats|conversations) (?:are there|do (?:i|we) have|did (?:i|we) have)$/i

const LISTS_SKILLS =
  /^(?:list|show|show me|name|tell me|give me)(?: me)?(?: all| a list of)?(?: the| my| your| of)* skills(?: you have| there are)?$|^(?:what|which) skills(?: (?:do you have|are there|do i have|do you know|can you use|exist|have you got))?$|^skills$|^do you have any skills$/i
const FOLLOWS =
  /^(?:use|follow|load|apply|open|read|show|show me|view|run|start|do|execute|go through|work through|perform)\b/i
/** “Do you have a skill for meeting notes?” is answered by the list of all skills. */
const ASKS_FOR_SKILL =
  /^(?:do you have|is there|are there|have you got|what|which|show me|find)(?: me)?(?: the| an?| any)? skills?(?: (?:do you have|are there|you have|exist|have you got))? (?:for|about|that|to|with|on) .+$/i
const CREATES =
  /^(?:make|create|write|save|add|build)(?: me)?(?: a| the| this as a| that as a| new)*(?: new)? skill(?: called| named|:| for)?\s+["'“`]?([\p{L}\p{N}_ -]{2,64}?)["'”`]?(?:\s*[:,–-]\s+|\s+(?:with the steps|with these steps|that says|which says|with|steps?|from)\s*:?\s*)(.+)$/isu
const REMOVES = /^(?:delete|remove|drop|erase) (?:the |my )?skill\s+["'“`]?([\p{L}\p{N}_ -]+?)["'”`]?$/iu

/** The meaning of a request about earlier chats or skills; undefined for any other request. */
export function readChatRequest(tidy: string, scene: Scene): Meaning | undefined {
  const plain = tidy.replace(/(?<![?.!])[?.!]+$/, '').trim()
  if (LATEST.test(plain)) return sureCall('session_search', {})
  const words = ABOUT_CHATS.map(each => each.exec(plain)?.[1]).find(each => each !== undefined)
  if (words !== undefined && !/^(?:files?|yesterday|it|that|this|me)$/i.test(words)) {
    const query = withoutQuotes(words)
      .replace(/^(?:about|the|my|our) /i, '')
      .replace(/(?<!\s)\s+(?:last (?:time|week|month)|yesterday|before|recently|earlier)$/i, '')
    return sureCall('session_search', { query })
  }
  if (LISTS_SKILLS.test(plain) || (ASKS_FOR_SKILL.test(plain) && skillIn(plain, scene.skills) === undefined))
    return sureCall('skills_list', {})
  const made = CREATES.exec(tidy)
  if (made) return creating(made[1]!, made[2]!)
  const removed = REMOVES.exec(plain)?.[1]
  const known = skillIn(removed ?? plain, scene.skills)
  if (removed !== undefined)
    return known === undefined
      ? { kind: 'say', text: GUIDE_SAYS.noSkill(removed) }
      : sureCall('skill_manage', { action: 'delete', name: known })
  if (known === undefined) return undefined
  return (FOLLOWS.test(plain) ||
    (isQuestion(plain) && /\b(?:skill|steps)\b/i.test(plain)) ||
    plain.toLowerCase() === known.toLowerCase()) &&
    !/\b(?:step|change|improve|edit|update|replace)\b.*\bto\b/i.test(plain)
    ? sureCall('skill_view', { name: known })
    : undefined
}

/** The skill that a text names, with its exact name or with spaces; undefined if it names none or several. */
export function skillIn(text: string, skills: readonly string[]): string | undefined {
  const line = ` ${text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, ' ')} `
  const named = skills.filter(name =>
    line.includes(` ${name.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, ' ')} `),
  )
  const longest = named.filter(name => !named.some(other => other !== name && other.includes(name)))
  return longest.length === 1 ? longest[0] : undefined
}

function creating(called: string, told: string): Meaning | undefined {
  const name = called
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|(?<!-)-+$/g, '')
  const steps = told
    .split(/\s*(?:\n|;|,(?:\s*(?:and|then)\b)*|\.\s+(?=\p{L})|\bthen\b)\s*/u)
    .map(step => step.replace(/^(?:\d+[.)]|-|first|then|and)\s*/i, '').replace(/(?<![.\s])[.\s]+$/, ''))
    .filter(step => step !== '')
  if (name === '' || steps.length === 0) return undefined
  const spoken = name.replaceAll('-', ' ')
  return sureCall('skill_manage', {
    action: 'create',
    name,
    description: `Steps for ${spoken}. Use when the user asks for ${spoken}.`,
    content: steps.map((step, at) => `${at + 1}. ${step}`).join('\n'),
  })
}
