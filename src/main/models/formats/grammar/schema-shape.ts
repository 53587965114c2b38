import type { Bounds } from './write-numbers.ts'
import type { Form } from './read-pattern.ts'

/** A JSON value that is neither an array nor an object. */
export type Scalar = string | number | boolean | null

/** The requirements of a schema on a value, as far as a grammar can express them. */
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

/** An object: its fields in the order in which they are written, and the other fields that may follow. */
export type ObjectShape = { kind: 'object'; fields: readonly Field[]; others: Others | undefined }
export type Field = { key: string; shape: Shape; isRequired: boolean }
/** Between `min` and `max` unnamed fields. `form` is the form of their keys; keys in `not` are excluded. */
export type Others = {
  form: Form | undefined
  shape: Shape
  min: number
  max: number
  not: readonly string[]
}

/** The keys that no other field of an object can have. */
export const takenKeys = ({ fields, others }: ObjectShape): string[] => [
  ...fields.map(({ key }) => key),
  ...(others?.not ?? []),
]

/** A named shape that may contain itself. It is filled in while the schema is read. */
export type Reference = { kind: 'reference'; to: Shape }

export const anything: Shape = { kind: 'any' }

/** Maximum limit to count. llama.cpp rejects 2,000 repetitions, and expands each into a rule. */
export const MOST_COUNTED = 1_000

/** Maximum number of unnamed fields: small models that start to repeat themselves do not stop. */
export const MOST_OTHERS = 50

/** Any object. */
export const anyObject: ObjectShape = {
  kind: 'object',
  fields: [],
  others: { form: undefined, shape: anything, min: 0, max: MOST_OTHERS, not: [] },
}

/**
 * A shape that covers all of these; undefined if there are none. Nested choices are flattened, even through
 * references: llama.cpp explores every path through them, and their number would double with each level.
 */
export function choiceOfShapes(shapes: readonly (Shape | undefined)[]): Shape | undefined {
  const there = shapes.filter(shape => shape !== undefined)
  const of = new Set(
    there.flatMap(shape => {
      const meant = resolveReference(shape)
      return meant.kind === 'choice' ? meant.of : [shape]
    }),
  )
  // A reference that is still being read is not yet known to allow any value.
  if ([...of].some(shape => shape.kind === 'any')) return anything
  return of.size > 1 ? { kind: 'choice', of: [...of] } : [...of][0]
}

/** Follow references to their target. */
export function resolveReference(shape: Shape): Exclude<Shape, Reference> {
  let at = shape
  for (let steps = 0; at.kind === 'reference'; steps++) {
    if (steps > 100) return { kind: 'any' }
    at = at.to
  }
  return at
}

/** Replace every shape that no finite value can satisfy, such as one that requires itself, with any value. */
export function makeShapesFinite(references: readonly Reference[]): void {
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

/** A tool whose schema has been read. */
export type KnownTool = { name: string; shape: Shape }

/** The objects that a shape allows. Arguments are always an object, even if the schema allows more. */
export function objectsIn(shape: Shape): readonly ObjectShape[] {
  const found: ObjectShape[] = []
  const seen = new Set<Shape>()
  const look = (each: Shape) => {
    if (seen.has(each)) return
    seen.add(each)
    const at = resolveReference(each)
    if (at.kind === 'object') found.push(at)
    if (at.kind === 'choice') at.of.forEach(look)
  }
  look(shape)
  return found.length > 0 ? [...new Set(found)] : [anyObject]
}

/** The shape of the arguments: always an object. */
export const argumentsShape = (shape: Shape): Shape => choiceOfShapes(objectsIn(shape)) ?? anyObject
