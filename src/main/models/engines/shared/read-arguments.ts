import type { ToolSpec } from '../../interface/engine.ts'
import { Unreadable } from '../../formats/reader/reader-input.ts'
import { bareName, indexTools } from '../../formats/reader/known-tools.ts'
import { mendArguments } from '../../formats/reader/mend-arguments.ts'

/** Read the arguments of a call. Unreadable text means none, because the chat keeps none of it either. */
export function readArguments(text: string): unknown {
  const given = mendArguments(text)
  return given instanceof Unreadable ? {} : given
}

/**
 * Return the name of the called tool. Some servers leave marks of the model in it. If no tool has the name,
 * only those marks are removed, and the chat finds out what is meant.
 */
export function nameWritten(written: string, tools: readonly ToolSpec[]): string {
  if (tools.some(({ name }) => name === written)) return written
  if (!/[<\s"'`=(){}[\]]/.test(written)) return written
  return indexTools(tools).find(written)?.name ?? bareName(written)
}
