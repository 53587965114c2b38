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
/** One of several words. */
export const oneOf = <const T extends readonly string[]>(values: T) =>
  z.enum(values, `one of ${values.map(value => `“${value}”`).join(', ')}`)
/** A text of at least one character. */
export const text = (max: number) => {
  const allowed = `a text of 1 to ${max} characters`
  return z.string(allowed).min(1, allowed).max(max, allowed)
}
/** A group of values. */
export const group = <S extends z.ZodRawShape>(shape: S) => z.object(shape, 'a group of settings')
/** The settings of one group, and the features or tools that use them, for the user. */
export const groupFor = <S extends z.ZodRawShape>(usedBy: readonly string[], shape: S) => {
  const schema = group(shape)
  users.set(schema, usedBy)
  return schema
}

/** Further facts about a setting besides its title and help. */
type More = {
  /** Whether a change takes effect only at the next start. */
  restart?: boolean
  /** The features or tools that use the setting, if not those of its group. */
  usedBy?: readonly string[]
  /** Where to find its value, such as the command that lists the possible ones. */
  where?: string
  /** The `SETTINGS_VERSION` that added it, if not the first. */
  since?: number
  /** Whether it may hold a password, such as an address with one. */
  masked?: boolean
}

/** The text of a setting for the user. */
type SettingText = More & { title: string; help: string }

/** Texts of settings, by schema. Not in zod's registry, because that is global to the process. */
const texts = new WeakMap<z.ZodType, SettingText>()
const users = new WeakMap<z.ZodType, readonly string[]>()
/** Give a setting its text. */
export const withText = <S extends z.ZodType>(schema: S, title: string, help: string, more: More = {}): S => {
  texts.set(schema, { ...more, title, help })
  return schema
}
/** Return the text of a setting, given its schema. */
export const textOf = (schema: z.ZodType): SettingText | undefined => texts.get(schema)
/** Return what uses the settings of a group, given its schema. */
export const usersOf = (schema: z.ZodType): readonly string[] => users.get(schema) ?? []

/** On or off. */
export const flag = z.boolean('true or false')
