import { fieldsOf, listOf } from '../remote/fields.ts'
import { events, type Spelling } from '../remote/plain-fetch.ts'

/** How Chat Completions are streamed. */
export const openAiSpelling: Spelling = {
  error: (message, code) => events([undefined, { error: { message, code } }]),
  whole(answer) {
    const { choices } = fieldsOf(answer)
    if (!Array.isArray(choices)) return undefined
    const deltas = listOf(choices).map(choice => ({ ...choice, delta: choice['message'] }))
    return events([undefined, { ...fieldsOf(answer), choices: deltas }])
  },
}
