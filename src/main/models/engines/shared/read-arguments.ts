import type { ToolSpec } from '../../interface/engine.ts'
import { Unreadable } from '../../formats/reader/reader-input.ts'
import { bareName, indexTools } from '../../formats/reader/known-tools.ts'
import { mendArguments } from '../../formats/reader/mend-arguments.ts'

/** The arguments that a model wrote. What cannot be read means none, since the chat keeps none of it either. */
export function readArguments(text: string): unknown {
  const given = mendArguments(text)
  return given instanceof Unreadable ? {} : given
}

/**
 * The name of the called tool. The readers of some servers leave marks of the model in it. A name that no tool has is only freed
 * of those, for the chat to find out what is meant.
 */
export function nameWritten(written: string, tools: readonly ToolSpec[]): string {
  if (tools.some(({ name }) => name === written)) return written
  if (!/[<\s"'`=(){}[\]]/.test(written)) return written
  return indexTools(tools).find(written)?.name ?? bareName(written)
}
