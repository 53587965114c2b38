import type { Bounds } from './numbers.ts'
import type { Form } from './pattern.ts'

/** A value without parts. */
export type Scalar = string | number | boolean | null

/** What a schema asks of a value, as far as a grammar can hold a value to it. */
export type Shape =
  | { kind: 'any' }
  | { kind: 'one-of'; values: readonly Scalar[] }
  | { kind: 'text'; min: number; max: number | undefined; form: Form | undefined }
  | { kind: 'integer'; bounds: Bounds }
  | { kind: 'number'; bounds: Bounds }
  | { kind: 'array'; first: readonly Shape[]; rest: Shape | undefined; min: number; max: number | undefined }
  | ObjectShape
  | { kind: 'choice'; of: readonly Shape[] }
  | Reference

/** An object: its fields in the order in which they are written, and what may stand behind them. */
export type ObjectShape = { kind: 'object'; fields: readonly Field[]; others: Others | undefined }
export type Field = { key: string; shape: Shape; isRequired: boolean }
/** Fields that the schema does not name, from `min` to `max` of them; `form` is that of their keys. */
export type Others = { form: Form | undefined; shape: Shape; min: number; max: number }

/** A shape with a name, so that it can be part of itself. It is filled in while the schema is read. */
export type Reference = { kind: 'reference'; to: Shape }

export const anything: Shape = { kind: 'any' }

/** More items or characters are not counted: llama.cpp refuses 2,000 repetitions, and each is a rule of its own there. */
export const MOST_COUNTED = 1_000

/** As many fields without a name as an object may have: small models that begin to repeat themselves find no end. */
export const MOST_OTHERS = 50

/** Any object at all. */
export const anyObject: ObjectShape = {
  kind: 'object',
  fields: [],
  others: { form: undefined, shape: anything, min: 0, max: MOST_OTHERS },
}

/**
 * The one shape that covers all of these; undefined if there is none to choose from. Choices among them are taken apart,
 * also behind names: llama.cpp walks every way from choice to choice, and their number would double with each.
 */
export function chooseFrom(shapes: readonly (Shape | undefined)[]): Shape | undefined {
  const there = shapes.filter(shape => shape !== undefined)
  const of = new Set(
    there.flatMap(shape => {
      const meant = resolve(shape)
      return meant.kind === 'choice' ? meant.of : [shape]
    }),
  )
  // A name that is still being read is not known to be any value.
  if ([...of].some(shape => shape.kind === 'any')) return anything
  return of.size > 1 ? { kind: 'choice', of: [...of] } : [...of][0]
}

/** Follow names to what they stand for. */
export function resolve(shape: Shape): Exclude<Shape, Reference> {
  let at = shape
  for (let steps = 0; at.kind === 'reference'; steps++) {
    if (steps > 100) return { kind: 'any' }
    at = at.to
  }
  return at
}

/** Replace every shape that no finite value can have, such as an object that requires itself, by any value. */
export function makeFinite(references: readonly Reference[]): void {
  const finite = new Set<Reference>()
  const isFinite = (shape: Shape): boolean => {
    switch (shape.kind) {
      case 'reference':
        return finite.has(shape)
      case 'choice':
        return shape.of.some(isFinite)
      case 'object':
        return shape.fields.every(field => !field.isRequired || isFinite(field.shape))
      case 'array':
        return (
          shape.first.every(isFinite) &&
          (shape.min <= shape.first.length || shape.rest === undefined || isFinite(shape.rest))
        )
      default:
        return true
    }
  }
  for (let before = -1; before < finite.size;) {
    before = finite.size
    for (const reference of references) if (isFinite(reference.to)) finite.add(reference)
  }
  for (const reference of references) if (!finite.has(reference)) reference.to = anything
}
