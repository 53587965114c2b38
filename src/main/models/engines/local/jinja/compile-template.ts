import { createGlobals } from './functions/create-globals.ts'
import { parseTemplate } from './parse/parse-template.ts'
import { Output, RunLimits, Scope } from './run-limits.ts'
import { toValue } from './values.ts'

/** A Jinja template that can be rendered. */
export type CompiledTemplate = {
  /** Render a text. Throws a refusing template's message, or if `until` (`performance.now()`) passes. */
  render(variables: Record<string, unknown>, options: { until: number; now: Date }): string
}

/** Maximum characters of a template. Real ones have up to 30,000; parsing 4 MB would block for a second. */
const MOST_SOURCE = 1_500_000

/**
 * Compile a template as transformers does: `trim_blocks`, `lstrip_blocks`, `break` and `continue`, `tojson`
 * without escapes, `raise_exception` and `strftime_now`. If Jinja2 rejects an undefined value, this writes an
 * empty text instead.
 */
export function compileTemplate(source: string): CompiledTemplate {
  if (source.length > MOST_SOURCE)
    throw new Error(`it is longer than ${MOST_SOURCE.toLocaleString('en')} characters`)
  const body = nestedSafely(() => parseTemplate(source))
  return {
    render(variables, { until, now }) {
      const limits = new RunLimits(until)
      const scope = new Scope(createGlobals(limits, now), limits)
      for (const [name, value] of Object.entries(variables)) scope.set(name, toValue(value))
      const out = new Output(limits)
      nestedSafely(() => body(scope, out))
      return out.text
    },
  }
}

function nestedSafely<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof RangeError) throw new Error('it is nested too deeply', { cause: error })
    throw error
  }
}
