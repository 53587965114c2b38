import type { Constraint } from './constraint.ts'
import { readSchema } from './read-schema.ts'
import { createRules } from './rules.ts'
import { jsonSpelling } from './spellings.ts'
import { writeValuesIn } from './values.ts'

/** Hold a whole reply to one JSON value that satisfies the schema, as far as a grammar can say it. */
export function answerConstraint(schema: unknown): Constraint {
  const rules = createRules()
  const { value } = writeValuesIn(rules, jsonSpelling())
  const gbnf = rules.text(value(readSchema(schema)))
  return { after: '', where: 'start', gbnf, end: '', body: { jsonAfter: '' } }
}
