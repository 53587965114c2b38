/** The schema of an object with these properties. */
export const object = (properties: object, required: string[] = [], more: object = {}) => ({
  type: 'object',
  properties,
  required,
  ...more,
})
const one = (schema: unknown, more: object = {}) => object({ a: schema }, ['a'], more)
const text = (more: object) => one({ type: 'string', ...more })
const list = (more: object) => one({ type: 'array', ...more })
const point = object({ x: { type: 'number' }, y: { type: 'number' } }, ['x', 'y'])
const node = object({ value: { type: 'string' }, next: { $ref: '#/$defs/node' } }, ['value'])
const branch = object(
  { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#/$defs/branch' } } },
  ['name'],
)
/** Written as text is read: an object with `then` looks like a promise to the linter. */
const needsNumber = JSON.parse(
  '{"if": {"properties": {"kind": {"const": "a"}}}, "then": {"required": ["n"]}}',
) as object

/**
 * Argument schemas as servers write them, each difficult in a different way, that a grammar can express in
 * full.
 */
export const HARD_SCHEMAS: readonly object[] = [
  one({ $ref: '#/$defs/point' }, { $defs: { point } }),
  one({ $ref: '#/$defs/node' }, { $defs: { node } }),
  one({ $ref: '#/$defs/branch' }, { $defs: { branch } }),
  one({ $ref: '#/definitions/point' }, { definitions: { point } }),
  one({ $ref: '#/$defs/x' }, { $defs: { x: { $ref: '#/$defs/y' }, y: { type: 'integer' } } }),
  one({ oneOf: [{ type: 'integer' }, { type: 'boolean' }] }),
  one({
    oneOf: [
      object({ kind: { const: 'p' }, n: { type: 'integer' } }, ['kind', 'n']),
      object({ kind: { const: 'q' } }, ['kind']),
    ],
  }),
  one({ anyOf: [{ type: 'string', maxLength: 3 }, { type: 'null' }] }),
  one({ anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'string' }] }),
  one({ allOf: [point, object({ z: { type: 'number' } }, ['z'])] }),
  one({ allOf: [{ type: 'integer', minimum: 2 }, { maximum: 9 }] }),
  one({ type: ['string', 'null'] }),
  one({ type: ['integer', 'boolean', 'null'] }),
  one({ type: 'string', nullable: true }),
  one({ const: 'x' }),
  one({ const: { deep: [1, null] } }),
  one({ enum: ['a', 1, null, true] }),
  one({ enum: ['quote "q"', 'back\\slash', 'line\nbreak'] }),
  one({ type: 'integer', minimum: 3, maximum: 17 }),
  one({ type: 'integer', exclusiveMinimum: -5, exclusiveMaximum: 5 }),
  one({ type: 'number', exclusiveMinimum: 0, maximum: 1 }),
  one({ type: 'integer', minimum: 100 }),
  text({ minLength: 2, maxLength: 5 }),
  text({ minLength: 1 }),
  text({ maxLength: 0 }),
  text({ pattern: '^[A-Z]{2}-\\d{3}$' }),
  text({ pattern: '^(get|put)_[a-z0-9]+$' }),
  text({ pattern: '^#[0-9a-fA-F]{6}$' }),
  text({ pattern: '^\\d{4}-\\d{2}$' }),
  text({ format: 'date' }),
  text({ format: 'date-time' }),
  text({ format: 'time' }),
  text({ format: 'uuid' }),
  text({ format: 'email' }),
  text({ format: 'uri' }),
  text({ format: 'ipv4' }),
  text({ format: 'ipv6' }),
  text({ format: 'hostname' }),
  list({ items: { enum: ['a', 'b'] }, minItems: 1, maxItems: 3 }),
  list({ items: { type: 'array', items: { type: 'array', items: { type: 'integer' } } } }),
  list({ prefixItems: [{ type: 'string' }, { type: 'integer' }], items: false }),
  list({ prefixItems: [{ type: 'boolean' }], items: { type: 'null' }, minItems: 1, maxItems: 3 }),
  list({ items: { type: 'integer' }, uniqueItems: true, maxItems: 1 }),
  list({}),
  one({ type: 'object', additionalProperties: { type: 'integer' } }),
  one({ type: 'object', additionalProperties: false }),
  one({ type: 'object', patternProperties: { '^x_': { type: 'integer' } }, additionalProperties: false }),
  one({ type: 'object', propertyNames: { enum: ['p', 'q'] } }),
  one({}),
  one(true),
  { type: 'object' },
  object({}),
  object({}, [], { additionalProperties: false }),
  object({ größe_名前: { type: 'integer' }, 'with space': { type: 'string' } }, ['größe_名前']),
  object({ a: { type: 'integer', default: 3 }, b: { type: 'string', title: 'B', examples: ['x'] } }),
  one(object({ b: object({ c: object({ d: { type: 'boolean' } }, ['d']) }, ['c']) }, ['b'])),
  one({ type: 'number', minimum: -0.5, maximum: 0.5 }),
  one({ type: 'integer', multipleOf: 5 }),
  object({ card: { type: 'string' }, code: { type: 'string' } }, [], {
    dependentRequired: { card: ['code'] },
  }),
  object({ kind: { enum: ['a', 'b'] }, n: { type: 'integer' } }, ['kind'], needsNumber),
]

/** Schemas with parts that no grammar of calls can express. */
export const UNSAYABLE_SCHEMAS: readonly object[] = [
  list({ items: { enum: ['a', 'b'] }, uniqueItems: true }),
  one({ type: 'integer', multipleOf: 97 }),
  list({ items: { type: 'integer' }, contains: { const: 3 } }),
  object({ kind: { type: 'string' }, n: { type: 'integer' } }, ['kind'], needsNumber),
]
