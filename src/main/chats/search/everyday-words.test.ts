import { expect, test } from 'vitest'
import { aChat, assistant, aStore } from '../../../../testing/db/a-store.ts'
import { createEverydayCheck } from './everyday-words.ts'
import { createRecall } from './recall.ts'

const everyday = (question: string) => {
  const check = createEverydayCheck(question)
  return question.split(/[\s?¿!]+/u).filter(word => word !== '' && check(word) !== undefined)
}

test.for<[question: string, words: string]>([
  ['Was soll die neue Heizung kosten?', 'Was soll die'],
  ['Wo wird die Wärmepumpe aufgestellt und aus welchem Grund?', 'Wo wird die und aus welchem'],
  ['Où est déposé le fichier pour son père ?', 'Où est le pour son'],
  ['¿Qué especias usaba la abuela en la masa?', 'Qué la en la'],
  ['Сколько стоит замена окон с установкой?', 'Сколько с'],
  ['In welke map staat het bestand van de klant?', 'In welke het van de'],
  ['Where did the son of Van der Berg die in the war?', 'Where did the of in the'],
  ['son of die hard', 'of'],
  ['comment pour car die war', ''],
])('in %j the everyday words are %j', ([question, words]) => {
  expect(everyday(question).join(' ')).toBe(words)
})

test('a question in a language that few chats are in finds what it is about, not who uses the same little words', () => {
  using store = aStore()
  for (let n = 0; n < 30; n++) {
    const { id } = aChat(store)
    store.messages.append(assistant(id, `Note ${n}: the mill by the river is closed.`))
  }
  const { id: other } = aChat(store)
  store.messages.append(assistant(other, 'Wo wird das von wem gemacht?'))
  const { id } = aChat(store)
  store.messages.append(assistant(id, 'Brennecke liefert uns im Herbst eine neue Heizung.'))
  while (store.recall.refresh(1_000)) continue
  const recall = createRecall(store.recall)
  expect(recall({ query: 'Wo wird die Heizung von wem gebaut?' }).chats[0]?.chatId).toBe(id)
  expect(recall({ query: 'Wo wird das Klavier von wem gebaut?' }).everyday).toBe(true)
})
