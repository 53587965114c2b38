import { z } from 'zod'

// The message of each rule says what is allowed, because the user reads it.

/** A whole number in a range; `or` names what else is allowed. */
export const wholeNumber = (min: number, max: number, or = '') => {
  const allowed = `${or}a whole number from ${min} to ${max}`
  return z.int(allowed).min(min, allowed).max(max, allowed)
}
/** A number in a range. */
export const number = (min: number, max: number) => {
  const allowed = `a number from ${min} to ${max}`
  return z.number(allowed).min(min, allowed).max(max, allowed)
}
/** One of some words. */
export const oneOf = <const T extends readonly string[]>(values: T) =>
  z.enum(values, `one of ${values.map(value => `“${value}”`).join(', ')}`)
/** A text of at least one character. */
export const text = (max: number) => {
  const allowed = `a text of 1 to ${max} characters`
  return z.string(allowed).min(1, allowed).max(max, allowed)
}
/** The settings of one group. */
export const group = <S extends z.ZodRawShape>(shape: S) => z.object(shape, 'a group of settings')

/** The text of a setting for the user. `restart`: a change takes effect at the next start. */
export type SettingText = { title: string; help: string; restart?: boolean }

/** Texts by the schema of their setting. Not the registry of zod, because that is global to the process. */
const texts = new WeakMap<z.ZodType, SettingText>()
/** Give a setting its text. `restart`: a change takes effect at the next start. */
export const withText = <S extends z.ZodType>(schema: S, title: string, help: string, restart = false): S => {
  texts.set(schema, { title, help, restart })
  return schema
}
/** The text of a setting, given its schema. */
export const textOf = (schema: z.ZodType): SettingText | undefined => texts.get(schema)

/** On or off. */
export const flag = z.boolean('true or false')
