import { matchAny } from '../match-any.ts'
/** A kind of fact about the user: how it is asked for, and what an entry must contain to state it. */
export type FactKind = {
  name: string
  asks: RegExp
  holds: RegExp
}

/** Words allowed before a fact, to make sure that it is the user's and not somebody else's. */
const OWN =
  /^(?:(?:i|i am|user|the user|the person|person|he|she|they|also|currently|now|still|usually|always|often|mostly|am|is|are|was|my|mine|his|her|their|the|user's|users|full|first|last|given|family|real|preferred|home|mainly|really|have|has|an?|who|and|that|fact|note|me|about|like|likes|wants|want|would|to|be|prefers|prefer)[\s:,'’]*)*$/i

export const KINDS: readonly FactKind[] = [
  {
    name: 'name',
    asks: matchAny`
      what is my (?:(?:first|last|full|family|given|sur) ?)?name|what (?:am i|i am) called|who am i
      what do (?:they|you|people) call me|what (?:should|do|will|would|can) you call me
      how (?:am i|should i be) called|(?:is|was) my name .+|my name|do you know (?:me|my name|who i am)
      what my name is|who i am|what name do i have|do i have a name|have i told you my name
      did i tell you my name`,
    holds: /\b(?:name(?:d)?|called|call)\b/gi,
  },
  {
    name: 'home',
    asks: matchAny`
      where (?:do )?i live|where (?:is|was) (?:my )?(?:home|house|apartment|flat)
      where am i (?:from|living|based)
      (?:what|which) (?:city|town|country|place|village|street|state)(?: do| am)? i (?:live|living|from|based|come from)(?: in)?
      what is my (?:home ?town|city|(?:home )?address|home|country|place of residence)
      where (?:do )?i come from|do i live .+|where i am from|my address
      in (?:what|which) (?:city|town|country) do i live`,
    holds: /\b(?:lives?|living|home(?:town)?|resides?|moved|address|based in|from)\b/gi,
  },
  {
    name: 'work',
    asks: matchAny`
      where (?:do )?i work|where am i (?:working|employed)|what (?:do i do|i do)(?: for (?:a living|work))
      what (?:do i do|i do)(?: as a job| professionally)?
      what is my (?:job|work|profession|occupation|employer|company|job title|trade)
      who (?:is my employer|do i work for)|(?:what|which) (?:company|firm) do i work (?:for|at)
      what (?:do )?i work as|what am i by profession|do i work .+|do i have a job|my job`,
    holds:
      /\b(?:works?|working|jobs?|employ(?:er|ed)|profession|occupation|nurse|teacher|developer|engineer|doctor|student|retired|lawyer|designer|programmer)\b/gi,
  },
  {
    name: 'car',
    asks: matchAny`
      (?:what|which)(?: kind of| sort of| type of| make of)?(?: car| vehicle)? (?:do |am )?i (?:drive|driving|have a car)
      (?:what|which)(?: kind of| sort of| type of)? (?:car|vehicle) (?:do )?i (?:have|own)|what is my car
      do i (?:drive|have|own) (?:a )?car|do i drive .*|my car|what car is mine`,
    holds: /\b(?:drives?|driving|car|vehicle)\b/gi,
  },
  {
    name: 'birthday',
    asks: matchAny`
      when (?:is|was) my (?:birthday|birth|date of birth)|when (?:was i|i was) born
      what is my (?:birthday|birth ?date|date of birth|age|birth year)|how old (?:am i|i am)
      on (?:what|which) day (?:was i born|is my birthday)|what year was i born(?: in)?|my birthday
      when my birthday is|where was i born`,
    holds: /\b(?:birthday|born|birth|age|years old)\b/gi,
  },
  {
    name: 'allergy',
    asks: matchAny`
      what am i allergic to|what i am allergic to
      (?:do i have|what are|what is) (?:my |any |an )?(?:allergies|allergy|intolerances?)
      am i allergic(?: to .+)?|which allergies do i have|what (?:can|should|must) i not (?:eat|drink)
      what am i not allowed to eat|my allergies`,
    holds: /\b(?:allerg\w*|intoleran\w*|vegan|vegetarian|cannot eat|can't eat|coeliac|celiac)\b/gi,
  },
  {
    name: 'likes',
    asks: matchAny`
      what (?:do )?i (?:like|prefer|love|enjoy)(?: (?:best|most|to (?:do|eat|drink)))?
      what are my (?:preferences|likes|tastes|favou?rites|interests|hobbies)|what kind of things do i like
      my preferences`,
    holds: /\b(?:likes?|loves?|enjoys?|prefers?|favou?rites?|fond|hobby|hobbies)\b/gi,
  },
  {
    name: 'dislikes',
    asks: /^what (?:do )?i (?:not like|hate|dislike|avoid|not want)|^what are my dislikes$/,
    holds: /\b(?:dislikes?|hates?|avoids?|detests?|not like|n[’']t like|never|no)\b/gi,
  },
]

/** Whether an entry states this fact about the user and not somebody else: not “Ada lives in Graz”. */
export function tellsKind(entry: string, { holds }: FactKind): boolean {
  for (const match of entry.matchAll(holds)) {
    const before = entry.slice(0, match.index)
    const clause = before.split(/[.;!?\n]|,|(?<=\w) and | but /).at(-1) ?? ''
    if (
      OWN.test(clause.trim()) ||
      /\b(?:i|user|my)\b(?!.*\b(?:wife|husband|son|daughter|dog|cat|mother|father|sister|brother|friend|boss|partner|mum|mom|dad|child|colleague|neighbou?r)\b)/i.test(
        clause,
      )
    )
      return true
  }
  return false
}
