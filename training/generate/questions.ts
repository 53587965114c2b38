import { fillText } from '../../src/shared/text/fill-template.ts'
import { texts } from './product.ts'

/** What a look back is about, and what of it the person does not want kept. */
export type LookBack = {
  kinds: readonly ('memory' | 'skills')[]
  rules: readonly { text: string }[]
}

const { triage, review, rules: ofRules, noticed: ofNoticed, summary } = texts.questions

const kindsIn = ({ kinds }: LookBack) =>
  kinds.length > 1 ? 'memory and skills' : kinds.includes('memory') ? 'memory' : 'skills'

/** The rules stand before the last paragraph of a question. */
function withRules(paragraphs: readonly string[], { rules }: LookBack, noticed?: string): string {
  const told = rules.map(({ text }) => fillText(ofRules.rule, { rule: text }))
  const more = [
    ...(told.length > 0 ? [[ofRules.heading, ...told].join('\n')] : []),
    ...(noticed === undefined ? [] : [fillText(ofNoticed, { noticed })]),
  ]
  return paragraphs.toSpliced(-1, 0, ...more).join('\n\n')
}

/** The first, cheap question of a look back. */
export const triageText = (asked: LookBack): string => withRules(triage[kindsIn(asked)], asked)

/** The question of the look back itself; `noticed` is what the first one found. */
export const reviewText = (asked: LookBack, noticed?: string): string =>
  withRules(review[kindsIn(asked)], asked, noticed)

/** The question for a summary of what was said. */
export function summaryText(wanted: { words: number; focus: string; hasEarlier: boolean }): string {
  const { words, focus, hasEarlier } = wanted
  return [
    summary.opening,
    ...(hasEarlier ? [summary.earlier] : []),
    fillText(summary.form, { words: `${words}` }),
    ...(focus === '' ? [] : [fillText(summary.focus, { focus })]),
  ].join('\n\n')
}
