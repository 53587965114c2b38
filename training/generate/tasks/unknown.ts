import type { Talk } from '../talk.ts'
import { wordings } from '../wording.ts'
import type { Task } from './task.ts'

/** What the model says to everything that is beyond it. */
export const BEYOND =
  'That is beyond me: I am only the small built-in model. Add a bigger model on the Models page.'

export const unknownWordings = wordings(`
  ! (write|compose|make) (me |)(a|an) (poem|song|story|essay|haiku|limerick|joke|speech|fairy tale|rap) about (the |a |){noun}
  ! (write|draft|compose) (me |)(a|an) (email|letter|message|cover letter|complaint|invitation|apology) to (my {relative}|{person}|the {shop})
  ! (write|code|program|implement) (me |)(a|an|the) (function|program|script|app|website|game|class) in {code}
  ! (write|create|build|develop) (me |)(a|an) {adjective} (website|app|game|chatbot|plugin) (for|about) (the |my |){noun}
  ! (translate|say) {noun} (in|into|to) {language}
  (translate|can you translate) (this|this text|the following|that) (to|into) {language}
  how do you say {noun} in {language}?
  what does {noun} mean in {language}?
  (what is|what's|how much is) {number} (times|plus|minus|divided by|\\*|x) {number2}?
  ! (calculate|compute|work out) {number} (times|plus|minus|percent of) {big}
  (what is|what's) the (square root|cube|factorial) of {number}?
  ! solve {number}x + {number2} = {big}
  (what is|what's|how is|how will be) the (weather|forecast|temperature)( like|)( in {city}|)( today| tomorrow| on {weekday}|)?
  (will|does) it (rain|snow)( in {city}|)( tomorrow| on {weekday}| today|)?
  (what is|what's|any) (the|) (news|latest news)( from {country}| about {noun}| today|)?
  who (won|is winning) the (game|match|election|world cup|race)( in {city}|)?
  who (is|was) the (president|king|queen|mayor|prime minister|chancellor) of {country}?
  (what is|what's) the (capital|population|currency|highest mountain|flag) of {country}?
  how (many people|far|old|big|tall) (live in|is it to|is|is) {city}?
  who (invented|discovered|wrote|painted) the {noun}?
  when was {city} (founded|built|destroyed)?
  why is the (sky blue|sea salty|grass green|moon round)?
  why (do|are) (cats|dogs|{animal}) (purr|bark|afraid|so clever)?
  ! (explain|tell me about|describe) (quantum physics|relativity|the french revolution|photosynthesis|inflation|black holes|evolution|democracy)
  ! (explain|tell me) how (a|an|the) {noun} works
  ! (explain|teach me|tell me about) {subject}
  ! (teach me|help me learn) {language}
  ! (give me|do you have) (a|any|some) (recipe|ideas|tips|advice) for (the |my |a |){noun}
  (what should i|what could i|what can i) (cook|eat|wear|read|watch|buy|do)( tonight| today| this {weekday}| in {city}|)?
  ! (recommend|suggest) (me |)(a|some) (book|film|movie|restaurant|hotel|series|game|present)( in {city}| about {noun}| for my {relative}|)
  ! (plan|organise|organize) (a|my) (trip|holiday|weekend|party|wedding) (in|to) {city}
  ! (book|reserve|find) (me |)(a|an) (hotel|flight|table|train|taxi)( in {city}| to {city}|)
  ! (order|buy) (me |)(a|some) (pizza|{food}|present)( online|)
  ! (call|phone|text|message) (my {relative}|{person}|the {shop})
  ! (send|forward) (a|an|this) (email|message|letter) to {person}
  ! (set|start) (a|an) (timer|alarm|reminder) (for|in) (ten minutes|{hour}|{number} minutes)
  ! (wake me|remind me) (up |)at {hour}
  ! (play|put on|start) (some |)(music|jazz|a song|the radio|my playlist)
  (turn|switch) (on|off) the (light|lights|heating|tv|music|alarm)
  ! (draw|paint|generate|create|make) (me |)(a|an) (picture|image|photo|logo|drawing) of (a|the) {noun}
  ! (summarise|summarize|sum up) (the book|the film|the article|the internet|this article) {coined}
  (compare|which is better:) {code} (and|or) {code2}
  (what is|what's) the (difference|connection) between {noun} and {noun2}
  what do you think (about|of) {noun}?
  (what is|what's) the (meaning of life|best {noun}|price of {noun}|value of bitcoin|share price of {company})?
  ! (tell me|do you know) (a|another) (joke|riddle|story|secret)
  (make me laugh|say something funny|entertain me|sing a song|surprise me)
  (who will|will i) (win|marry|get rich|pass the exam)?
  (can you|could you) (drive|see|hear me|call me|feel|dream|dance)?
  ! (prove|derive|show) that {noun} is {adjective}
  ! (refactor|debug|optimise|review) (my|this|the) (code|program|function|app)
  ! (design|plan) (a|an) {adjective} (database|architecture|garden|kitchen|logo) for {company}
  ! (analyse|analyze|interpret) (this|the|my) (text|data|poem|chart|dream)
  ! (improve|rewrite|rephrase|correct|proofread) (this|my) (text|letter|essay|sentence)
  (search the web|google|look online|browse the internet) for {noun}
  ! (open|go to) (the website|the page|www) {coined}.com
  (what|which) (day|date) is (easter|christmas|the full moon) (in|this) {year}?
  how (do|can) i (become|get) (a {job}|rich|healthy|better at {hobby})?
  how do i (fix|repair|build|grow|clean|cook) (a|the|my) {noun}?
  (is|are) (god real|aliens real|there life on mars|ghosts real)?
  (diagnose|what is wrong with) my {noun}
  (my|the) {noun} (hurts|is broken|does not work), what should i do?
  (convert|how much is) {number} (dollars|miles|pounds|degrees) (to|in|into) (euros|kilometres|kilos|celsius)
  (spell|define|what is the definition of) {noun}
  ! (give me|name) (ten|five|three|some) (words|names|countries|animals|synonyms) (for {noun}|with {adjective}|starting with b)
  ! (read|tell) me (a|another|the) (story|poem|news|bedtime story|horoscope)
  ! (list|name|write down) (ten|five|three|some) (animals|countries|ideas|names|films|books|words)
  ! (find|search|look for) (me |)(a|the cheapest|the best|a good) (hotel|flight|restaurant|job|flat|doctor|recipe)( in {city}|)
  ! (search|look up) {noun} (on the internet|on google|online|on wikipedia|on the web)
  ! (delete|remove|close) my (facebook|instagram|online|bank|twitter) account
  (remember the titans|save the whales|run a marathon|forget paris|the notebook), (who made it|what is that|is that a film)?
  do you remember (the eighties|the first man on the moon|the last world cup|when {city} was founded)?
  ! (open|show me) (a map|a picture|photos|the street view) of {city}
  ! (make|bake|cook) (me |)(a|some) (cake|soup|coffee|sandwich|{food})
  ! (create|make|build) (me |)(a|an) (logo|presentation|video|song|website|podcast|business plan) (for|about) {company}
  (write|finish|continue) (my|a) (thesis|book|homework|novel|essay|screenplay)( about {noun}|)
  ! (run|play) (a game|chess|tic tac toe|a quiz) with me
  ! (count|add up) (all |)(the |)(stars|people|numbers) (in {city}|from 1 to {number}|in the sky)
  (copy|print|scan|fax) (a|the|my) (key|passport|photo) (for me|please|on paper)
  ! (move|rename) (my|the) (house|furniture|street|city)
  ! (list|show me) (the |all |)(presidents|kings|cities|rivers) of {country}
  ! (find|show) me (a|the) (way|route|shortest way) (to|from) {city}
  (check|read|answer) my (email|emails|mail|messages|calendar|whatsapp)
  (install|download) (a game|windows|photoshop|an app on my phone)
  (memory|files|skills|commands), (what do these words mean|explain these words in {language})?
  (what|which) (skill|skills) (should i|do i need to) (learn|have) (to be|to become|as) a {job}?
  (how do i|how can i) (remember|memorise|learn) (names|{language}|vocabulary|things) (better|faster)?
  ! (write|give me) (code|a regex|a sql query|an algorithm) (for|that) {noun}
  (what is|explain) (a|the) (file|folder|command|terminal|skill|memory)( in general| in computing|)?
  (schreib|schreibe|dichte) (mir |)(ein gedicht|eine geschichte|einen brief|ein lied)( über {noun}|)
  (wie wird das wetter|wie ist das wetter|regnet es morgen)( in {city}|)?
  (übersetze|übersetz) (das|{noun}) (ins|nach|auf) (englische|französische|deutsch)
  (écris|raconte)(-moi|) (un poème|une histoire|une blague)( sur {noun}|)
  (quel temps fait-il|quel temps fera-t-il)( à {city}|)( demain|)?
  (escribe|cuéntame) (un poema|una historia|un chiste)( sobre {noun}|)
  (qué tiempo hace|va a llover)( en {city}|)( mañana|)?
  (scrivi|raccontami) (una poesia|una storia|una barzelletta)
  (escreve|conta) (um poema|uma história|uma piada)
  (was ist|erkläre|erklär mir) (die relativität|{noun}|die inflation)?
  ---
  (verfasse|erzähl mir) (ein märchen|einen witz)
  (traduis|traduce) {noun} (en|al) (anglais|inglés)?
  ! (read|recite) (something|a chapter) (from|by) (shakespeare|goethe|the bible)
  ! (list|sum up) the (plot|characters) of {coined}
  ! (look|search) on the web (for|after) {noun}
  (invent|think up|dream up) (a tale|a verse|lyrics) (on|around) (the |){noun}
  (could you|would you) (put|turn) (this paragraph|that sentence) into {language}?
  (add|multiply) {number} (and|by) {number2}
  (is it going to be|will we have) (sunny|stormy|warm) (weather |)in {city}?
  what (happened|is going on) in {country} (lately|these days)?
  ! (name|tell me) the (ruler|capital city|river) of {country}
  (develop|hack together) (a tool|some code|a bot) (in|with) {code}
  (what makes|why does) the {noun} {adjective}?
  (which|what) {noun} would you (pick|choose|buy)?
  ! (arrange|fix) (a meeting|an appointment) with {person}
  (illustrate|visualise) (a|the) {adjective} {noun}
  (give a lecture|lecture me|fill me in) on {subject}
  (what are the odds|predict) (of|the outcome of) the {noun}
  ! (check|correct) (my|the) grammar
  ! (find out|look up on the internet) (who|when|where) {person} (lives|was born|works)
  (how many|how much) {noun} (are|is) there in the world?
  ! (dim|unlock) the (lamp|front door)
  (is|was) {person} a (famous|real) {job}?`)

export const unknown: readonly Task[] = [
  {
    id: 'unknown',
    weight: 26,
    async run(talk: Talk) {
      talk.ask(talk.word(unknownWordings))
      talk.focus = {}
      talk.answer(BEYOND, { kind: 'unknown' })
    },
  },
]
