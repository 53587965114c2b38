// Entries in Chinese and Japanese, which have no spaces. They are compared by character, without the subject.

/** Whether a text is written in Chinese or Japanese. */
export const usesCharacters = (text: string): boolean =>
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)

/** Openings that name the subject. */
const SUBJECT =
  /^(?:请记住|記住|记住|用户|使用者|該用戶|用戶|本人|我|ユーザーは|ユーザは|ユーザー|私は|僕は|俺は|わたしは)+/u
const OWNER = /^(?:的|の)/u

/** Replaces different wordings by the same one. */
const ONE_WAY: readonly (readonly [RegExp, string])[] = [
  [/[\s\p{P}]+/gu, ''],
  [/^(?:很|非常|特别|十分|最)?(?:喜欢|喜歡|喜爱|喜愛|热爱|热愛|偏好|爱|愛)/u, '喜欢'],
  [/^(?:不喜欢|不喜歡|不爱|讨厌|討厭|厌恶)/u, '讨厌'],
  [/^(?:居住在|居住于|住在|住于|定居在)/u, '住在'],
  [/^(?:名字是|名字叫|名叫|叫做|姓名是|叫)/u, '叫'],
  [/^(?:在)(.{1,12})(?:工作|上班)$/u, '在$1工作'],
  [/(?:が|を)(?:大好き|好き|好む|好んでいる|好んでいます)(?:です|だ|である)?$/u, 'が好き'],
  [
    /に(?:住んでいる|住んでいます|住んでる|在住|暮らしている|暮らしています)(?:です|だ|である)?$/u,
    'に住んで',
  ],
  [/で(?:働いている|働いています|働いてる|勤務している|勤務しています)$/u, 'で働いて'],
  [/名前は/u, '名前は'],
  [/(?:と(?:いい|言い|申し)ます|という|と言う)$/u, ''],
  [/(?:です|である|だ)$/u, ''],
  [/(?<=[^ま])ません$/u, 'ない'],
]

/** The meaningful characters of an entry, in a uniform wording. */
export function sayCharacters(text: string): string {
  let said = text.normalize('NFKC').toLowerCase().trim().replace(SUBJECT, '').replace(OWNER, '')
  for (const [way, one] of ONE_WAY) said = said.replace(way, one)
  return said
}
