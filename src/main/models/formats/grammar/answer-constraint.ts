import type { Constraint } from './constraint.ts'
import { readSchema } from './read-schema.ts'
import { createRules } from './gbnf-rules.ts'
import { jsonSyntax, writeValuesIn } from './write-values.ts'

/** Constrain a whole reply to one JSON value that satisfies the schema, as far as a grammar can express it. */
export function answerConstraint(schema: unknown): Constraint {
  const rules = createRules()
  const { value } = writeValuesIn(rules, jsonSyntax())
  const gbnf = rules.text(value(readSchema(schema)))
  return { after: '', where: 'start', gbnf, end: '', body: { jsonAfter: '' } }
}
