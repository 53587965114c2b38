/**
 * What a part measured, by names that begin with its subject, such as `rpc_call_p50_ms`. Numbers are figures.
 * Texts stand beside them: the model, the form of the tools, or why something was not measured.
 */
export type Measured = Record<string, number | string>

/** A part of the bench. `minutes`: about how long it takes on two otherwise idle cores. */
export type Part = { minutes: number; measure(): Promise<Measured> }

/** The results of the parts, by name. `failed`: why a part has no figures. */
export type Results = { parts: Record<string, Measured>; failed: Record<string, string> }

/** Measure parts one after the other. If one fails, it is named and the others are still measured. */
export async function runParts(
  parts: Readonly<Record<string, Part>>,
  say: (line: string) => void,
): Promise<Results> {
  const results: Results = { parts: {}, failed: {} }
  for (const [name, { measure }] of Object.entries(parts)) {
    say(`${name} …`)
    const startedAt = performance.now()
    try {
      const measured = await measure()
      const wrong = wrongFigures(measured)
      if (wrong.length > 0) throw new Error(`No numbers were measured for ${wrong.join(', ')}.`)
      results.parts[name] = measured
      say(`  ${Math.round((performance.now() - startedAt) / 1_000)} s`)
    } catch (error) {
      results.failed[name] = error instanceof Error ? error.message : String(error)
      say(`  failed: ${error instanceof Error ? error.stack : String(error)}`)
    }
  }
  return results
}

/** The names of figures that are no finite numbers, which JSON would write as null. */
const wrongFigures = (measured: Measured): string[] =>
  Object.entries(measured).flatMap(([name, value]) =>
    typeof value === 'number' && !Number.isFinite(value) ? [name] : [],
  )

/** The parts with these names, in the order of the list. If some names are unknown, returns those instead. */
export function pickParts<P>(parts: Readonly<Record<string, P>>, names: readonly string[]) {
  const unknown = names.filter(name => !Object.hasOwn(parts, name))
  if (unknown.length > 0) return { unknown }
  return { picked: Object.fromEntries(Object.entries(parts).filter(([name]) => names.includes(name))) }
}
