import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { decode, encode } from 'iconv-lite'
import { expect, test } from 'vitest'
import { aWorkspace, said } from '../../../../testing/tools/a-workspace.ts'
import { decodeText } from '../../lib/encodings/decode-text.ts'
import { patchFile } from './patch-file.ts'
import { readFileTool } from './read-file.ts'
import { searchFiles } from '../search/search-files.ts'
import { writeFile } from './write-file.ts'

const readFile = readFileTool()
const search = searchFiles()

/** Our own texts, by the encodings that they are tried in. After the bar is a word to search for. */
const TEXTS: readonly (readonly [readonly string[], readonly string[]])[] = [
  [
    ['windows-1252', 'CP850'],
    [
      'Der Bäcker öffnet täglich außer Sonntag.\nSüße Brötchen für die Gäste kosten zwei Kronen.\n|Brötchen',
      'Name;Straße;Größe\nMüller;Königsallee 5;groß\nSchäfer;Mühlenstraße 8;größer\n|Mühlenstraße',
      '// Größe des Puffers für Schlüssel\nconst schlüssel = "äußerst"\nreturn schlüssel\n|äußerst',
      'Le garçon a mangé une pêche à midi, près de la forêt.\nÇa a été très agréable.\n|forêt',
      'Räksmörgås på båten är gott, och så är kaffet på ön.\n|båten',
    ],
  ],
  [
    ['windows-1250', 'ISO-8859-2'],
    [
      'Żółta łódź płynie po jeziorze. Dzień dobry, świecie! Zażółć wszystkie gęsi.\n|łódź',
      'Pracownik;Zarząd;Księgowość\nŁukasz;Świętokrzyskie;25 zł\nŻaneta;Śląskie;więcej\n|Śląskie',
      'Včera jsme šli do lesa a viděli krásného jelena. Řeka tekla tiše a ještě pršelo.\n|jelena',
      'Kétszáz őr ült a fűben, és fölöttük repült egy gólya. Később eső jött, és hűvös lett.\n|gólya',
      '# chyba při čtení souboru: příliš dlouhý řádek, použijte větší paměť\nšířka = 5\n|šířka',
    ],
  ],
  [
    ['windows-1251', 'KOI8-R', 'CP866'],
    [
      'Съешь же ещё этих мягких булок, да выпей чаю.\n|булок',
      'Имя;Цена;Количество\nМолоко;85;2\nХлеб;40;1\n|Молоко',
      '# Загрузка настроек программы из файла на диске\nx = 1\n|настроек',
      'Добрый вечер, уважаемые гости нашего города!\n|вечер',
      'ОШИБКА: НЕТ ДОСТУПА К ФАЙЛУ НА СЕРВЕРЕ\n|ДОСТУПА',
    ],
  ],
  [
    ['windows-1253'],
    [
      'Ο ήλιος ανατέλλει πάνω από τη θάλασσα.\n|θάλασσα',
      'Όνομα;Τιμή\nΓάλα;2\nΨωμί;1\n|Ψωμί',
      '# Το πρόγραμμα διαβάζει το αρχείο\n|πρόγραμμα',
      'Καλησπέρα σας, τι κάνετε σήμερα;\n|σήμερα',
    ],
  ],
  [
    ['windows-1254'],
    [
      'Yağmurlu bir günde çocuklar ağaçların altında şarkı söylüyordu.\n|ağaçların',
      'Ürün;Fiyat\nEkmek ve çay;beş lira\nSütlaç ve aşure;on altı lira, değişmez\n|Sütlaç',
      '// Değişken değeri boş olamaz, lütfen dosyayı kontrol edin ve çalıştırın\n|dosyayı',
    ],
  ],
  [
    ['windows-1255'],
    [
      'החתול ישב על הגג והביט בירח.\n|הגג',
      'שם;מחיר\nחלב;7\nלחם;9\n|לחם',
      'ערב טוב לכולם, מה שלומכם היום?\n|שלומכם',
    ],
  ],
  [
    ['windows-1256'],
    [
      'جلس القط على السطح ونظر إلى القمر.\n|السطح',
      'الاسم;السعر\nحليب;5\nخبز;3\n|خبز',
      'مساء الخير يا صديقي العزيز\n|صديقي',
    ],
  ],
  [['windows-874'], ['แมวนั่งอยู่บนหลังคาและมองดูดวงจันทร์\n|หลังคา', 'ชื่อ,ราคา\nนม,25\nขนมปัง,30\n|ขนมปัง']],
  [
    ['GBK', 'GB18030'],
    [
      '小猫坐在屋顶上看月亮，夜里很安静。\n|月亮',
      '姓名,年龄,城市\n张伟,32,成都\n李娜,28,西安\n|成都',
      '// 读取配置文件并检查格式\nint main() {}\n|配置',
      '我们明天去爬山吧，请带上水和面包。\n|爬山',
      '苹果清单：牛奶、鸡蛋、面包\n|鸡蛋',
    ],
  ],
  [
    ['Big5'],
    [
      '小貓坐在屋頂上看月亮，夜裡很安靜。\n|月亮',
      '姓名,年齡,城市\n陳大文,32,臺中\n林美玲,28,臺南\n|臺中',
      '// 讀取設定檔並檢查格式\nint main() {}\n|設定',
      '我們明天去爬山吧，請帶上水和麵包。\n|爬山',
    ],
  ],
  [
    ['Shift_JIS', 'EUC-JP'],
    [
      '猫が屋根の上にすわって月を見ています。\n|屋根',
      '氏名,年齢,都市\n田中太郎,32,札幌\n佐藤花子,28,福岡\n|札幌',
      '// 設定ファイルを読み込み、形式を確認する\n|形式',
      '明日は山に登りましょう。水とパンを持ってきてください。\n|登り',
    ],
  ],
  [
    ['EUC-KR'],
    [
      '고양이가 지붕 위에 앉아서 달을 보고 있습니다.\n|지붕',
      '이름,나이,도시\n김민수,32,수원\n이영희,28,제주\n|제주',
      '// 설정 파일을 읽고 형식을 검사한다\n|형식',
      '내일은 산에 갑시다. 물과 빵을 가져오세요.\n|산에',
    ],
  ],
  [
    ['utf-16le', 'utf-16be'],
    [
      'Der Bäcker öffnet um sechs.\n|Bäcker',
      '小猫坐在屋顶上看月亮。\n我们走吧。\n|月亮',
      'Имя;Цена\nМолоко;85\n|Молоко',
    ],
  ],
]

const CASES = TEXTS.flatMap(([encodings, texts]) =>
  encodings.flatMap(encoding =>
    texts.map(each => {
      const [text = '', word = ''] = each.split('|')
      return [encoding, text, word] as const
    }),
  ),
)

test('there are enough cases: 60 files in 14 encodings', () => {
  expect(CASES.length).toBeGreaterThanOrEqual(60)
  expect(new Set(CASES.map(([encoding]) => encoding)).size).toBeGreaterThanOrEqual(14)
})

test.for(CASES)('%s: %s', async ([encoding, text, word]) => {
  const bytes = encode(text, encoding)
  expect(decode(bytes, encoding)).toBe(text)
  const { workspace, call, intent } = aWorkspace({ 'a.txt': bytes })
  const path = 'a.txt'
  const file = join(workspace, path)
  const read = said(await call(readFile, { path }))
  expect(read).toContain(text.trimEnd())
  expect(read).toMatch(/\n\[this file is in [\w-]+, not UTF-8; patch_file and write_file keep that\]$/)
  expect(said(await call(search, { pattern: word }))).toContain(word)
  expect(await intent(patchFile, { path, old_string: word, new_string: `${word} 5 ${word}` })).toMatchObject({
    detail: expect.stringMatching(/It keeps its encoding \([\w-]+\)\.$/) as string,
  })
  await call(patchFile, { path, old_string: word, new_string: `${word} 5 ${word}` })
  expect(readFileSync(file)).toEqual(encode(text.replace(word, `${word} 5 ${word}`), encoding))
  await call(patchFile, { path, old_string: `${word} 5 ${word}`, new_string: word })
  expect(readFileSync(file)).toEqual(bytes)
  expect(said(await call(writeFile, { path, content: `${text}1 ${word}\n` }))).toContain(
    'It keeps its encoding',
  )
  expect(readFileSync(file)).toEqual(encode(`${text}1 ${word}\n`, encoding))
})

test('what the encoding lacks stops a patch and a write, and UTF-8 is offered and can be had', async () => {
  const bytes = encode('小猫坐在屋顶上看月亮，夜里很安静。\n', 'GBK')
  const { workspace, call } = aWorkspace({ 'a.txt': bytes })
  const path = 'a.txt'
  const lacks = 'a.txt is in GBK, which has no “🐈” (line 1 of the new text), so nothing was written.'
  const patched = await call(patchFile, { path, old_string: '小猫', new_string: '🐈' })
  expect(patched).toMatchObject({ ok: false, reason: expect.stringContaining(lacks) as string })
  const written = await call(writeFile, { path, content: '🐈' })
  expect(written).toMatchObject({ ok: false, reason: expect.stringContaining('To make it UTF-8') as string })
  expect(readFileSync(join(workspace, path))).toEqual(bytes)
  expect(said(await call(writeFile, { path, content: '\ufeff小猫🐈\n' }))).toContain(
    'It was GBK, and is UTF-8 now.',
  )
  expect(readFileSync(join(workspace, path), 'utf8')).toBe('\ufeff小猫🐈\n')
})

test.for([
  ['windows-1252', 'café\n'],
  ['GBK', '中文\n'],
  ['Big5', '牛奶'],
  ['Shift_JIS', '日本'],
  ['windows-1251', 'да\n'],
  ['windows-1252', '// © 2021\n'],
  ['Shift_JIS', 'ｶﾀｶﾅ ﾃｽﾄ\n'],
] as const)(
  'a short text is unsure, which is told, and it is not patched: %s %s',
  async ([encoding, text]) => {
    const bytes = Buffer.concat([Buffer.from('x = 1 # '), encode(text, encoding)])
    const { workspace, call } = aWorkspace({ 'a.txt': bytes })
    expect(said(await call(readFile, { path: 'a.txt' }))).toContain('its encoding is not sure')
    const patched = await call(patchFile, { path: 'a.txt', old_string: 'x = 1', new_string: 'x = 2' })
    expect(patched).toMatchObject({
      ok: false,
      reason: expect.stringContaining('is not sure (perhaps') as string,
    })
    expect(readFileSync(join(workspace, 'a.txt'))).toEqual(bytes)
  },
)

/** Random-looking bytes, the same in each run. */
function noise(length: number, seed: number): Buffer {
  let state = seed
  return Buffer.from(
    Array.from({ length }, () => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
      return state >>> 24
    }),
  )
}

test('binary files stay binary', () => {
  const starts = [
    '\x89PNG\r\n\x1a\n',
    '\xff\xd8\xff\xe0',
    'GIF89a',
    'PK\x03\x04',
    '\x1f\x8b\x08',
    'MZ\x90',
    'BZh9',
  ]
  for (const [at, start] of starts.entries())
    expect(decodeText(Buffer.concat([Buffer.from(start, 'latin1'), noise(400, at)]))).toBeUndefined()
  for (let seed = 0; seed < 40; seed++) expect(decodeText(noise(600, seed))).toBeUndefined()
  const numbers = Buffer.from(Uint16Array.from({ length: 400 }, (_, at) => (at * 37) % 900).buffer)
  expect(decodeText(numbers)).toBeUndefined()
})

test('no guess that is called sure is wrong, however short the piece of a text is', () => {
  const count = { right: 0, unsure: 0, wrong: [] as string[] }
  for (const [encoding, text] of CASES) {
    for (let length = 1; length <= text.length; length += 4) {
      const piece = text.slice(Math.max(0, text.length - length - 7), Math.max(length, text.length - 7))
      const bytes = encode(piece, encoding)
      const found = decodeText(bytes)
      if (found === undefined || (found.encoding === 'utf8' && found.exact)) continue
      if (found.isUnsure || !found.exact) count.unsure += 1
      else if (found.text === piece) count.right += 1
      else count.wrong.push(`${encoding} as ${found.encoding}: ${piece}`)
    }
  }
  console.log(`pieces of texts: ${count.right} right, ${count.unsure} unsure, ${count.wrong.length} wrong`)
  expect(count.wrong).toEqual([])
})

test('a UTF-8 text with a damaged byte stays UTF-8, and is said to be damaged', async () => {
  const { workspace, call } = aWorkspace()
  writeFileSync(
    join(workspace, 'a.txt'),
    Buffer.concat([Buffer.from('Größe für Köln '), Buffer.from([0xff, 10])]),
  )
  expect(said(await call(readFile, { path: 'a.txt' }))).toMatch(
    /Größe für Köln \ufffd\n\[some bytes of this file/,
  )
})
