import { Ajv2020 } from 'ajv/dist/2020.js'
import { createToolCallReader } from '../../src/main/models/formats/reader/call-reader.ts'
import type { Call, Format, ToolSpec } from '../../src/main/models/formats/format-types.ts'

const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false, multipleOfPrecision: 4 })
const FORMATS: Record<string, (text: string) => boolean> = {
  date: text => /^\d{4}-\d\d-\d\d$/.test(text) && isDate(text),
  'date-time': text => {
    const [day = '', time = ''] = text.split('T')
    return isDate(day) && isTime(time)
  },
  time: isTime,
  email: text => /^[^\s@<>"]+@[^\s@<>".]+(\.[^\s@<>".]+)+$/.test(text),
  uuid: text => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text),
  uri: text => URL.canParse(text) || /^[a-z][a-z\d+.-]*:\S+$/i.test(text),
  ipv4: text =>
    text.split('.').length === 4 && text.split('.').every(part => /^\d+$/.test(part) && Number(part) < 256),
}
for (const [name, validate] of Object.entries(FORMATS)) ajv.addFormat(name, validate)

function isDate(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

function isTime(text: string): boolean {
  return /^([01]\d|2[0-3])(:[0-5]\d){2}(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/.test(text)
}

/** Whether a value satisfies a JSON Schema. */
export const satisfies = (schema: object, value: unknown): boolean => ajv.validate(schema, value)

/** The part of a call's opening text that precedes the grammar. */
export const begun = ({ open, mark }: Format): string => open.slice(0, open.indexOf(mark) + mark.length)

/**
 * The faults in a text written after the mark, as found by the project's own reader. Empty if the text consists only
 * of calls whose arguments satisfy their schemas.
 */
export function faultsOf(format: Format, tools: readonly ToolSpec[], text: string): string[] {
  const reader = createToolCallReader({ tools })
  const events = [...reader.push(begun(format) + text), ...reader.end()]
  const calls = events.filter(event => event.type === 'call')
  const faults = events.filter(event => event.type !== 'call').map(event => JSON.stringify(event))
  if (calls.length === 0) faults.push('there is no call')
  return [...faults, ...calls.flatMap(call => misfits(tools, call))]
}

function misfits(tools: readonly ToolSpec[], call: Call): string[] {
  const tool = tools.find(({ name }) => name === call.name)
  if (!tool) return [`there is no ${call.name}`]
  return satisfies(tool.parameters, call.arguments)
    ? []
    : [`${call.name} ${JSON.stringify(call.arguments)}: ${ajv.errorsText()}`]
}
