import type { Tool } from './tool.ts'

/**
 * Say in plain words what came of a call: the tool's own sentence, or what a model reads, without its marks. `text` is the text of
 * the stored result.
 */
export function tellResult(
  tool: Pick<Tool, 'tell'> | undefined,
  input: Record<string, unknown>,
  result: { ok: boolean; text: string },
): string {
  return tool?.tell?.(input, result) ?? result.text
}
