import type { ToolSpec } from '../../src/main/models/formats/format-types.ts'

const short = { type: 'string', maxLength: 12 }

/**
 * Tools whose schemas use every feature that a grammar enforces, with strings short enough for a model with random
 * weights.
 */
export const sampleTools: readonly ToolSpec[] = [
  {
    name: 'read_file',
    description: 'Read a file.',
    parameters: {
      type: 'object',
      properties: {
        path: { type: 'string', minLength: 1, maxLength: 12 },
        offset: { type: 'integer', minimum: 0, maximum: 250 },
        limit: { type: ['integer', 'null'] },
      },
      required: ['path'],
    },
  },
  {
    name: 'read_url',
    description: 'Fetch a page.',
    parameters: {
      type: 'object',
      properties: {
        method: { enum: ['GET', 'POST', 'PUT'] },
        retries: { const: 3 },
        follow: { type: 'boolean' },
      },
      required: ['method', 'follow'],
      additionalProperties: false,
    },
  },
  {
    name: 'edit',
    description: 'Change a file.',
    parameters: {
      type: 'object',
      properties: {
        edits: {
          type: 'array',
          minItems: 1,
          maxItems: 2,
          items: {
            type: 'object',
            properties: { find: short, replace: short, all: { type: 'boolean' } },
            required: ['find', 'replace'],
          },
        },
      },
      required: ['edits'],
    },
  },
  {
    name: 'schedule',
    description: 'Do something later.',
    parameters: {
      type: 'object',
      properties: {
        when: { anyOf: [{ type: 'string', format: 'date' }, { $ref: '#/$defs/interval' }] },
        note: { type: ['string', 'null'], maxLength: 10 },
        share: { type: 'number', minimum: 0, maximum: 1 },
      },
      required: ['when'],
      $defs: {
        interval: {
          type: 'object',
          properties: { every: { type: 'integer', minimum: 1 }, unit: { enum: ['minute', 'hour', 'day'] } },
          required: ['every', 'unit'],
          additionalProperties: false,
        },
      },
    },
  },
  {
    name: 'plan',
    description: 'Write a plan.',
    parameters: {
      type: 'object',
      properties: {
        tree: { $ref: '#/$defs/node' },
        point: { type: 'array', prefixItems: [{ type: 'number' }, { type: 'number' }], items: false },
        id: { type: 'string', format: 'uuid' },
        code: { type: 'string', pattern: '^[A-Z]{2}-\\d{3}$' },
        env: {
          type: 'object',
          additionalProperties: { type: 'integer' },
          maxProperties: 3,
          propertyNames: { pattern: '^[A-Z]{1,4}$' },
        },
      },
      required: ['tree', 'id'],
      $defs: {
        node: {
          type: 'object',
          properties: {
            name: short,
            parts: { type: 'array', maxItems: 1, items: { $ref: '#/$defs/node' } },
          },
          required: ['name'],
        },
      },
    },
  },
  {
    name: 'list_skills',
    description: 'Which skills there are.',
    parameters: { type: 'object', properties: {} },
  },
]
