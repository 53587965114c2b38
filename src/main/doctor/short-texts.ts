/** Longest string, in characters, in a call started for a model: enough for a path, and random weights stop too. */
const most = 60

/** The same JSON Schema with a limit on every free text in it, so that a grammar made of it comes to an end. */
export function shortTexts(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(shortTexts)
  if (typeof schema !== 'object' || schema === null) return schema
  const limited = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, shortTexts(value)]))
  if (limited['type'] !== 'string' || 'enum' in limited || 'const' in limited) return limited
  return { ...limited, maxLength: Math.min(Number(limited['maxLength'] ?? most), most) }
}
