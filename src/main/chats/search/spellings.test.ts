import fc from 'fast-check'
import { expect, test } from 'vitest'
import { searchHere } from '../../../../testing/chats/search-here.ts'
import { aChat, aStore, toolResult, user } from '../../../../testing/db/a-store.ts'
import type { Store } from '../../db/store.ts'
import { searchChats } from './find-chats.ts'
import { foldWord, spellingsOf, spellOut, writingsOf } from '../../lib/words/spellings.ts'

/** A store with one chat per text. */
function aLibrary(...texts: readonly string[]) {
  const store = aStore()
  for (const text of texts) store.messages.append(user(aChat(store).id, text))
  return store
}

/** Return what a user finds, with the highlighted parts. */
const find = (store: Store, query: string, typing = false) =>
  searchChats(searchHere(store), { query, typing }, 10).map(({ passages }) => {
    const { text = '', marks = [] } = passages[0] ?? {}
    return { text, marked: marks.map(([from, to]) => text.slice(from, to)) }
  })

test.for([
  ['Hauptstrasse', 'Die Hauptstraße ist gesperrt.', 'Hauptstraße'],
  ['HAUPTSTRASSE', 'Die Hauptstraße ist gesperrt.', 'Hauptstraße'],
  ['Hauptstraße', 'Die Hauptstrasse ist gesperrt.', 'Hauptstrasse'],
  ['Uebergabe', 'Die Übergabe ist am Montag.', 'Übergabe'],
  ['Übergabe', 'Die Uebergabe ist am Montag.', 'Uebergabe'],
  ['Gruen', 'Bei Familie Grün.', 'Grün'],
  ['Grün', 'Bei Familie Gruen.', 'Gruen'],
  ['Grun', 'Bei Familie Grün.', 'Grün'],
  ['Schaefer', 'Herr Schäfer ruft an.', 'Schäfer'],
  ['Schäfer', 'Herr Schaefer ruft an.', 'Schaefer'],
  ['Grüsse', 'Viele Grüße aus Bern.', 'Grüße'],
  ['gruesse', 'Viele Grüße aus Bern.', 'Grüße'],
  ['Grusse', 'Viele Grüße aus Bern.', 'Grüße'],
  ['Grüße', 'Viele Gruesse aus Bern.', 'Gruesse'],
  ['GRÖSSE', 'Die Größe passt.', 'Größe'],
  ['Oerebro', 'Vi åker till Örebro.', 'Örebro'],
  ['Aarhus', 'Vi kører til Århus.', 'Århus'],
  ['Århus', 'Vi kører til Aarhus.', 'Aarhus'],
  ['Tromsoe', 'Vi reiser til Tromsø.', 'Tromsø'],
  ['Tromsø', 'Vi reiser til Tromsoe.', 'Tromsoe'],
  ['Tromsø', 'Vi reiser til Tromso.', 'Tromso'],
  ['Tromso', 'Vi reiser til Tromsø.', 'Tromsø'],
  ['Lodz', 'Jedziemy do Łodzi, miasto Łódź.', 'Łódź'],
  ['Naerum', 'Toget til Nærum kører.', 'Nærum'],
  ['"Grosse Strasse"', 'An der Großen Große Straße wohnt sie.', 'Große Straße'],
  ['Strass*', 'Die Straßenbahn kommt.', 'Straßenbahn'],
] as const)('“%s” finds “%s”', ([query, text, marked]) => {
  using store = aLibrary('Nothing of the kind.', text)
  expect(find(store, query)).toEqual([{ text, marked: [marked] }])
})

test.for([
  ['poet', 'The pot is on the stove.'],
  ['shoe', 'Sho is a name.'],
  ['que', 'Der QU-Test lief.'],
  ['blue', 'A blu dress.'],
  ['Michael', 'Michal came too.'],
  ['duel', 'Dul is a place.'],
  ['Schoen', 'Das war schon so.'],
] as const)('“%s” does not find “%s”', ([query, text]) => {
  using store = aLibrary(text, 'Something else.')
  expect(find(store, query)).toEqual([])
})

test('of a word that may be either, the one that is written is found first', () => {
  using store = aLibrary('Das war schon so.', 'Das war schön.', 'Wir waren schon dort.')
  expect(find(store, 'Schoen')[0]).toEqual({ text: 'Das war schön.', marked: ['schön'] })
})

test.for([
  [
    'Haftpflicht',
    'Was kostet die Kraftfahrzeughaftpflichtversicherung?',
    'Kraftfahrzeughaftpflichtversicherung',
  ],
  [
    'Kraftfahrzeug',
    'Was kostet die Kraftfahrzeughaftpflichtversicherung?',
    'Kraftfahrzeughaftpflichtversicherung',
  ],
  [
    'versicherung',
    'Was kostet die Kraftfahrzeughaftpflichtversicherung?',
    'Kraftfahrzeughaftpflichtversicherung',
  ],
  ['Strasse', 'Der Hauptstraßenumbau dauert.', 'Hauptstraßenumbau'],
  ['Straße', 'Der Hauptstrassenumbau dauert.', 'Hauptstrassenumbau'],
  ['Übung', 'Die Brandschutzübungen sind am Freitag.', 'Brandschutzübungen'],
  ['Uebung', 'Die Brandschutzübungen sind am Freitag.', 'Brandschutzübungen'],
  ['Übung', 'Der Übungsplatz ist zu.', 'Übungsplatz'],
  ['Bahn', 'Auf der Autobahn war Stau.', 'Autobahn'],
  ['verzekering', 'De zorgverzekeringspremie stijgt.', 'zorgverzekeringspremie'],
  ['försäkring', 'Min hemförsäkringspremie är hög.', 'hemförsäkringspremie'],
  ['vakuutus', 'Autovakuutusmaksu nousi.', 'Autovakuutusmaksu'],
] as const)('“%s” finds “%s”, inside of a word', ([query, text, marked]) => {
  using store = aLibrary('Nothing of the kind.', text)
  expect(find(store, query)).toEqual([{ text, marked: [marked] }])
})

test('a whole word goes before a part of another, and a common one is not looked for inside of others', () => {
  using store = aLibrary('Meine Haftpflicht ist gekündigt.', 'Die Kraftfahrzeughaftpflicht bleibt.')
  expect(find(store, 'Haftpflicht').map(({ text }) => text)).toEqual([
    'Meine Haftpflicht ist gekündigt.',
    'Die Kraftfahrzeughaftpflicht bleibt.',
  ])
  using many = aLibrary('Party at eight.', 'The art of it.', 'Modern art.', 'More art.', 'Art again.')
  expect(find(many, 'art').some(({ text }) => text.startsWith('Party'))).toBe(false)
})

test('nothing is found inside of words of a deleted chat, or of what a tool printed', () => {
  using store = aStore()
  const { id } = aChat(store)
  store.messages.append(user(id, 'Die Kraftfahrzeughaftpflicht bleibt.'))
  const { id: other } = aChat(store)
  store.messages.append(toolResult(other, 'Kraftfahrzeughaftpflicht'))
  expect(find(store, 'Haftpflicht').length).toBe(1)
  store.sessions.remove(id)
  expect(find(store, 'Haftpflicht')).toEqual([])
})

test('a word that stands nowhere finds nothing', () => {
  using store = aLibrary('Die Hauptstraße ist gesperrt.', 'Lunch with Anna.')
  expect(find(store, 'Zebra')).toEqual([])
  expect(find(store, 'Hauptstrasze')).toEqual([])
})

test('however a word is written, it is spelled out as one, and one of its spellings is the word itself', () => {
  const letters = fc.constantFrom(...'abeosuäöüßåøæEOÜ'.split(''))
  fc.assert(
    fc.property(fc.array(letters, { minLength: 1, maxLength: 24 }), parts => {
      const word = parts.join('')
      const { sure } = spellingsOf(word)
      expect(sure.length).toBeLessThanOrEqual(12)
      expect(writingsOf(word)).toContain(word.toLowerCase())
      expect(spellOut(spellOut(word))).toBe(spellOut(word))
      expect(foldWord(foldWord(word))).toBe(foldWord(word))
    }),
  )
})
