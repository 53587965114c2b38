/**
 * Words that name a kind of secret, in the languages of Talaria's users. Each string is part of a pattern; a
 * space matches any white space or a hyphen.
 */
const spaced = (words: readonly string[]): string => words.join('|').replaceAll(' ', String.raw`[\s-]`)

/** Match whole words of an alphabetic script. `ending` also matches compounds such as “Routerpasswort”. */
const whole = (words: readonly string[]): string =>
  String.raw`(?<![\p{L}\p{M}\d_./])(?:${spaced(words)})(?![\p{L}\p{M}\d_]|[./]\p{L})`
const ending = (words: readonly string[]): string =>
  String.raw`(?<![\p{L}\p{M}\d_./])[\p{L}\d-]{0,30}(?:${spaced(words)})(?![\p{L}\p{M}\d_]|[./]\p{L})`

/** Names of a password. */
const PASSWORDS = [
  ending(['passwort', 'passworts', 'kennwort', 'kennworts', 'wachtwoord', 'lösenordet', 'lösenord']),
  whole([
    String.raw`pass ?(?:word|wd|phrase|code|key)`,
    'passord',
    'pwd',
    'pw',
    'contraseña',
    'contrasenya',
    'mot de passe',
    'mdp',
    'phrase secrète',
    'palavra passe',
    'senha',
    "parola d['’]ordine",
    'парол[ьяюе]м?',
    'كلمة (?:ال)?(?:مرور|سر)',
    'الرقم السري',
    'पासवर्ड',
    'şifre(?:m|si|miz|niz|n)?',
    'hasł(?:o|em|a)',
    'jelszó',
    'salasana(?:ni)?',
    'adgangskode',
  ]),
  '密[码碼]|口令|パスワード|パスフレーズ|暗証番号|비밀번호|패스워드|암호',
]
/** Words that mean a password only if a value follows directly. */
const LOOSE = whole(['pass', 'clave', 'parola', 'passphrase', 'sifre', 'contrasena', 'haslo'])

/** Phrases that only talk about passwords and codes. */
const ABOUT = [
  String.raw`pass ?(?:word|code|phrase)[\s-]?(?:managers?|hash\w*|polic\w+|resets?|fields?|files?|lengths?|strength|rotations?|protect\w*|generators?|prompts?|dialogs?|pages?|forms?|changes?|recovery|checks?|inputs?|stores?|vaults?|databases?|less|rules?|box|hints?|entry|expir\w+)`,
  String.raw`passwort[\s-]?(?:manager\w*|richtlinie\w*|feld\w*|datei\w*|verwalt\w+|länge|abfrage|schutz|regel\w*|hash\w*|wechsel)`,
  String.raw`(?:gestor|gestionnaire|gestore|gerenciador|administrador|менеджер|menedżer)\w* (?:de |di |des |паролей|haseł)(?:\p{L}| ){0,20}`,
  '密[码碼](?:管理|错误|錯誤|学|學)|パスワード(?:管理|マネージャ)|비밀번호 ?관리',
  String.raw`(?:error|status|exit|zip|area|country|source|discount|promo|coupon|voucher|product|qr|bar|dress|time|byte|machine|return|response|sort|postal|dial(?:l?ing)?|currency|language|colou?r|hex|morse|tax|region|airport|genetic|penal|civil|conduct|hs|swift|branch) codes?`,
  String.raw`code (?:reviews?|base|quality|style|owners?|coverage|of conduct|review|erreur|postal|source|couleur|promo|produit|du projet|hash)`,
  String.raw`c[óo]digo[\s-](?:de error|de erro|postal|fuente|fonte|de barras|promocional|civil|penal)|codice (?:di errore|sorgente|postale|sconto|a barre)`,
  String.raw`код (?:ошибки|города|страны|товара)|kod (?:błędu|pocztowy|źródłowy)|(?:hata|posta|kaynak) kodu|पिन कोड|رمز (?:البريد|الخطأ)\p{L}*|الرمز البريدي`,
]

/** Names of a numeric code that need no other word. Short ones count only in capitals. */
const CODES = [
  String.raw`(?<![\p{Script=Latin}\p{Script=Cyrillic}\d_]|GPIO[ -])(?:PIN|CVV2?|CVC2?|PUK|TAN|mTAN|OTP|TOTP|ПИН|МПИН)(?:[\s-]?(?:[Cc]ode|[Nn]ummer|[Nn]umber|[Nn]o|код|コード|码|번호))?(?![\p{Script=Latin}\p{Script=Cyrillic}\d_])`,
  String.raw`PINコード|PIN码|验证码|驗證碼|校验码|门禁码|動態密碼|确认码|認証コード|確認コード|인증번호|인증 ?코드|핀번호`,
]
const CODES_IN_ANY_CASE = [
  ending([
    'türcode',
    'torcode',
    'zugangscode',
    'sicherheitscode',
    'einmalcode',
    'bestätigungscode',
    'freischaltcode',
    'alarmcode',
    'pincode',
    'deurcode',
    'toegangscode',
    'beveiligingscode',
    'verificatiecode',
    'keypad',
    'lockbox',
  ]),
  whole([
    String.raw`(?:door|gate|alarm|entry|entrance|access|safe|locker|garage|building|house|lock|key box|security|verification|one time|bank(?:ing)?|card|unlock|screen|intercom|keypad|2fa|backup|recovery|authenticator|pairing|voicemail|panic|disarm) codes?`,
    String.raw`(?:my|the|our|his|her|their|card|phone|sim|bank|debit|atm|voicemail)['’s]{0,2} pin(?= (?:is|was|of|for)\b| ?[:=])`,
    'pin codes?',
    String.raw`(?:code|kod) pin`,
    'digicode',
    'code (?:secret|confidentiel|de vérification|de sécurité)',
    'código de (?:verificación|seguridad|acceso|verificação|segurança|acesso)',
    'codice di (?:verifica|sicurezza|accesso)',
    'пин код',
    'код (?:подтверждения|доступа|безопасности)',
    'пин',
    'رمز (?:التحقق|الأمان|الدخول)',
    '(?:ال)?رقم (?:ال)?سري',
    'पिन',
    'ओटीपी',
    '(?:doğrulama|onay|güvenlik) kodu',
    'kod (?:weryfikacyjny|dostępu)',
  ]),
]
/** Words for a code that opens something, if both words are in the sentence. */
const CODE = [
  whole([
    'codes?',
    'c[óo]digos?',
    'codice',
    'kod',
    'kodu',
    'код',
    'رمز',
    'كود',
    'कोड',
    'combination',
    'kombination',
    'combinación',
    'combinaison',
    'combinazione',
    'combinação',
    'комбинация',
    'şifre\\w{0,3}',
    'szyfr',
  ]),
  'コード|番号|密[码碼]|代码|코드|번호',
]
const OPENS = [
  ending(['tür', 'schloss', 'alarmanlage', 'tresor', 'deur', 'kluis', 'karte']),
  whole(['tor', 'pas', 'slot']),
  whole([
    String.raw`doors?|gates?|alarm|garage|lockers?|lockbox|safe|vault|keypad|intercom|padlock|lock|suitcase|briefcase|building|entrance`,
    String.raw`bank card|debit card|credit card|sim card|spind|schließfach|eingang|haus|koffer`,
    String.raw`puerta|portal|alarma|garaje|caja fuerte|taquilla|candado|verja|portón|trastero|tarjeta`,
    String.raw`porte|portail|alarme|immeuble|d['’]entrée|coffre|casier|cadenas|interphone|l['’]alarme|carte (?:bleue|bancaire)`,
    String.raw`porta|cancello|(?:dell['’])?allarme|cassaforte|armadietto|lucchetto|portone|citofono|bancomat`,
    String.raw`portão|cofre|cadeado|armário|prédio|cartão`,
    String.raw`двер(?:ь|и|ей)|домофона?|ворота?м?|сейфа?|сигнализаци\p{L}+|подъезда?|замка|карт[ыа]`,
    String.raw`باب|الباب|بوابة|البوابة|خزنة|الخزنة|الإنذار|البطاقة|दरवाज़े|दरवाजे|तिजोरी|गेट|अलार्म|एटीएम`,
    String.raw`kapı(?:nın|sı)?|kasa(?:nın)?|alarmın|drzwi|domofonu?|bramy|sejfu?|alarmu|furtki|voordeur|poort|fietsslot|kaart`,
  ]),
  '门|門|保险[箱柜]|车库|ドア|玄関|金庫|ロッカー|銀行|银行卡|현관|금고|대문|카드|사물함',
]

/** Names of a recovery phrase. */
const PHRASES = [
  whole([
    '(?:recovery|seed|backup|mnemonic|secret) (?:phrase|words|seed)',
    'mnemonic',
    String.raw`(?:wiederherstellungs|seed) ?(?:phrase|wörter|wort)`,
    'frase (?:de )?(?:recuperación|semilla|recuperação|semente)',
    'phrase (?:de )?(?:récupération|mnémonique)',
    'frase di recupero',
    'сид фраза',
    'мнемоническая фраза',
    'фраза восстановления',
    'عبارة الاسترداد',
    'kurtarma (?:ifadesi|kelimeleri)',
    'fraza odzyskiwania',
    'herstelzin',
  ]),
  '助记词|助記詞|恢复短语|リカバリーフレーズ|シードフレーズ|復元フレーズ|복구 ?구문|시드 ?구문|रिकवरी फ्रेज़',
]

/** Names of a personal number issued by a state. */
const STATES = [
  whole([
    String.raw`ssn|social security(?: (?:number|no))?|national (?:id|identity|insurance)(?: (?:card|number|no))?|ni number|nino|sin|itin|tax (?:id|payer id|payer number)|tin`,
    String.raw`passport (?:number|no)|passport|driver['’]?s? licen[cs]e(?: (?:number|no))?|id card(?: (?:number|no))?|identity (?:card )?number`,
    String.raw`steuer (?:id|identifikationsnummer|nummer)|idnr|identifikationsnummer|sozialversicherungsnummer|rentenversicherungsnummer|ahv(?: ?nummer)?|(?:reise)?pass ?nummer|personalausweis(?:nummer)?`,
    String.raw`dni|nie|nif|número de (?:la seguridad social|identidad|pasaporte)|curp|rfc|cédula|pasaporte`,
    String.raw`numéro de (?:sécurité sociale|sécu|passeport)|nir|avs|numéro national|passeport`,
    String.raw`codice fiscale|passaporto|cpf|rg|cartão de cidadão|passaporte|número de contribuinte`,
    String.raw`снилс|инн|паспорт|номер паспорта|pesel|dowód osobisty|bsn|burgerservicenummer|personnummer|henkilötunnus|cpr(?: nummer)?|fødselsnummer`,
    String.raw`t\.?c\.? ?(?:kimlik)?(?: (?:no|numaram?|numarası))?|kimlik (?:no|numaram?|numarası)|aadhaar|aadhar|आधार(?: (?:नंबर|संख्या))?|pan(?: card)?`,
    String.raw`الهوية|رقم الهوية|رقم الجواز`,
  ]),
  '身份证|身分證|护照|社会保障号|マイナンバー|個人番号|パスポート番号|주민등록번호|여권번호',
]

/** Names of login credentials. */
const LOGINS = [
  whole([
    String.raw`log ?ins?|log ?on|credentials?|user ?names?|user|account|zugangsdaten|anmeldedaten|benutzer(?:name)?|anmeldung`,
    String.raw`usuario|credenciales|identifiants?|utilisateur|utente|credenziali|usuário|credenciais|логин|учётн\p{L}+|مستخدم|المستخدم`,
    String.raw`kullanıcı(?: adı)?|użytkownik|dane logowania|gebruiker(?:snaam)?|inloggegevens`,
  ]),
  '账号|帐号|用户名|帳號|ユーザー名?|ログイン|アカウント|아이디|계정|로그인|लॉगिन',
]

const inAnyCase = (parts: readonly string[]): RegExp => new RegExp(parts.join('|'), 'giu')

/** The patterns for each kind of secret. Every pattern is global. */
export const LABELS = {
  password: inAnyCase(PASSWORDS),
  loosePassword: inAnyCase([LOOSE]),
  code: new RegExp(CODES.join('|'), 'gu'),
  codeInAnyCase: inAnyCase(CODES_IN_ANY_CASE),
  plainCode: inAnyCase(CODE),
  opens: inAnyCase(OPENS),
  phrase: inAnyCase(PHRASES),
  state: inAnyCase(STATES),
  login: inAnyCase(LOGINS),
  about: inAnyCase(ABOUT.map(each => each.replaceAll(' ', String.raw`[\s-]`))),
} as const
