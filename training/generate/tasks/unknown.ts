import type { Talk } from '../talk.ts'
import { wordings } from '../wording.ts'
import type { Task } from './task.ts'

/** What the model says to everything that is beyond it. */
export const BEYOND =
  'That is beyond me: I am only the small built-in model. Add a bigger model on the Models page.'

export const unknownWordings = wordings(`
  ((prove|derive|show) that {noun} is {adjective}|(reserve|book|get|buy) (me |us |)(two |three |some |)(seats|tickets|concert tickets|train tickets|cinema tickets|flights|rooms) (to|for|in) ({city}|{weekday}|tonight))
  ((translate|say) {noun} (in|into|to) {language}|(give me|find|suggest|think of|come up with) (a name|names|a slogan|a title|a nickname|a motto|a hashtag) for (my|our|a|the) ({noun}|{pet}|company|band|baby|boat))
  ! ((analyse|analyze|interpret) (this|the|my) (text|data|poem|chart|dream)|(do|solve|work out|figure out) (my|this|the) (maths|math|equation|sum|calculation|integral|sudoku|crossword|puzzle|homework|algebra)( for me|))
  ! ((list|show me) (the |all |)(presidents|kings|cities|rivers) of {country}|(explain|tell me about|describe) (quantum physics|relativity|the french revolution|photosynthesis|inflation|black holes|evolution|democracy))
  ! ((write|give me) (code|a regex|a sql query|an algorithm) (for|that) {noun}|(write|draft|compose) (me |)(a|an) (email|letter|message|cover letter|complaint|invitation|apology) to (my {relative}|{person}|the {shop}))
  ! ((delete|remove|close) my (facebook|instagram|online|bank|twitter) account|(recommend|suggest) (me |)(a|some) (book|film|movie|restaurant|hotel|series|game|present)( in {city}| about {noun}| for my {relative}|))
  ((set|start) (a|an) (timer|alarm|reminder) (for|in) (ten minutes|{hour}|{number} minutes)|(find|search|look for) (me |)(a|the cheapest|the best|a good) (hotel|flight|restaurant|job|flat|doctor|recipe)( in {city}|))
  ! ((book|reserve|find) (me |)(a|an) (hotel|flight|table|train|taxi)( in {city}| to {city}|)|(give me|name) (ten|five|three|some) (words|names|countries|animals|synonyms) (for {noun}|with {adjective}|starting with b))
  ((design|plan) (a|an) {adjective} (database|architecture|garden|kitchen|logo) for {company}|(write|compose|make) (me |)(a|an) (poem|song|story|essay|haiku|limerick|joke|speech|fairy tale|rap) about (the |a |){noun})
  ((summarise|summarize|sum up) (the book|the film|the article|the internet|this article) {coined}|(write|create|build|develop) (me |)(a|an) {adjective} (website|app|game|chatbot|plugin) (for|about) (the |my |){noun})
  ! ((check|read|sort|answer|empty) my (inbox|voicemail|spam|whatsapp|text messages|instagram|post)|(create|make|build) (me |)(a|an) (logo|presentation|video|song|website|podcast|business plan) (for|about) {company})
  ((draw|paint|generate|create|make) (me |)(a|an) (picture|image|photo|logo|drawing) of (a|the) {noun}|(write|code|program|implement) (me |)(a|an|the) (function|program|script|app|website|game|class) in {code})
  ! ((count|add up) (all |)(the |)(stars|people|numbers) (in {city}|from 1 to {number}|in the sky)|(list|name|write down) (ten|five|three|some) (animals|countries|ideas|names|films|books|words))
  ! ((improve|rewrite|rephrase|correct|proofread) (this|my) (text|letter|essay|sentence)|(give me|do you have) (a|any|some) (recipe|ideas|tips|advice) for (the |my |a |){noun})
  ! ((search|look up) {noun} (on the internet|on google|online|on wikipedia|on the web)|(plan|organise|organize) (a|my) (trip|holiday|weekend|party|wedding) (in|to) {city})
  ! ((calculate|compute|work out) {number} (times|plus|minus|percent of) {big}|(fix|look over) my ({language}|punctuation|pronunciation|writing style|accent))
  ! ((play|put on|start) (some |)(music|jazz|a song|the radio|my playlist)|(read|tell) me (a|another|the) (story|poem|news|bedtime story|horoscope))
  ! ((make|bake|cook) (me |)(a|some) (cake|soup|coffee|sandwich|{food})|(refactor|optimise|review) (my|this|the) (code|program|function|app))
  ! ((find|show) me (a|the) (way|route|shortest way) (to|from) {city}|(open|show me) (a map|a picture|photos|the street view) of {city})
  ! ((call|phone|text|message) (my {relative}|{person}|the {shop})|(send|forward) (a|an|this) (email|message|letter) to {person})
  ! ((order|buy) (me |)(a|some) (pizza|{food}|present)( online|)|(tell me|do you know) (a|another) (joke|riddle|story|secret))
  ! ((run|play) (a game|chess|tic tac toe|a quiz) with me|(move|rename) (my|the) (house|furniture|street|city))
  ! ((explain|tell me) how (a|an|the) {noun} works|(open|go to) (the website|the page|www) {coined}.com)
  ! ((wake me|remind me) (up |)at {hour}|(explain|teach me|tell me about) {subject})
  ! (solve {number}x + {number2} = {big}|(teach me|help me learn) {language})
  (teach me|i want to learn|i'd like to learn|lessons in|a course in|how do i learn|how hard is) ({language}|{instrument}|{hobby}|chess|cooking|maths|drawing|programming|{subject})( quickly| from scratch| for beginners|)
  (what do you think (about|of) {noun}?|(name|tell me|i need|give us|list) (three|five|a dozen|some|{number}) (cities|rivers|famous {job}s|{colour} flowers|vegetables|synonyms|baby names|fun facts|reasons|songs)( in {country}| about {animal}s|))
  ((diagnose|what is wrong with) my {noun}|(what's|what is|which is|who has) the (best|nicest|most {adjective}|worst|cheapest|most famous) ({noun}|{food}|{animal}|city in {country}|{instrument}|{car}|{company})( ever| in the world| these days|)?)
  (when was {city} (founded|built|destroyed)?|(what|which) (is|are) (the|) (fastest|biggest|heaviest|oldest|rarest|smallest|most dangerous) ({animal}|animal|planet|mountain|river|tree|building|metal|bird|island)( in the world| on earth| of all|)?)
  (what does {noun} mean in {language}?|(what is|what's|whats|define|explain|meaning of|introduction to|the basics of|i don't understand|i don't get) (gravity|dna|blockchain|philosophy|entropy|irony|karma|osmosis|a black hole|{subject})?)
  ((escreve|conta) (um poema|uma história|uma piada)|(i feel|i have|i've got|my {relative} has) (a headache|a fever|a cough|back pain|a rash|a toothache|a sore throat), (what helps|what can i take|what should i do|is it serious|what could it be)?)
  (who (invented|discovered|wrote|painted) the {noun}?|(any|got any|have you any|need|i need|give me) (tips|advice|ideas|suggestions|recommendations|inspiration) (for|on|about) (my|a|the) (holiday|party|garden|date|interview|diet|{noun}|{hobby})?)
  ((qué tiempo hace|va a llover)( en {city}|)( mañana|)?|(play|stream|shuffle|skip|pause|turn up|turn down|stop) (some |the |this |my |)(mozart|rock|techno|song|radio|next song|podcast|album|volume|music|netflix|spotify)( please| in the {place}|))
  ((who will|will i) (win|marry|get rich|pass the exam)?|(google|bing|look on wikipedia for|check the internet for|ask chatgpt about|browse for|surf to|find a youtube video about|web search:) ({noun}|{company}|{person}|{adjective} {noun}|{city}))
  (why is the (sky blue|sea salty|grass green|moon round)?|(send|post|share|tweet|upload|publish) (this|a photo|a message|a greeting|my holiday photos) (on|to) (twitter|facebook|instagram|linkedin|whatsapp|{person}|my {relative}|the group chat))
  ((scrivi|raccontami) (una poesia|una storia|una barzelletta)|(help me|i need help|can you help me) (write|writing|with) (a|my|an) (letter|cv|résumé|thesis|novel|speech|homework|job application|love letter|essay)( in {language}| about {noun}|))
  (how do i (fix|repair|build|grow|clean|cook) (a|the|my) {noun}?|(example|tutorial|snippet|sample code|best practice|unit test|boilerplate|code) (for|of|with) (a |an |)(loop|class|recursion|regex|quick sort|linked list|api call|{noun}) in {code})
  ((is|are) (god real|aliens real|there life on mars|ghosts real)?|(drive|walk|carry|take|pick up|feed|wash|iron|mow|vacuum) (me to {city}|the {pet}|my {relative} from school|the laundry|the dishes|the lawn|my shirt|the kids)( please| at {hour}|))
  (why (do|are) (cats|dogs|{animal}) (purr|bark|afraid|so clever)?|(i have to|i must|got to|i need to) (hand in|give|write|finish) (an essay|a speech|a presentation|homework) (on|about) {subject}, (help|can you do it|write it for me|do it for me))
  ((what is|what's) the (square root|cube|factorial) of {number}?|(what should|what can|what do|what could) i (write|say|put) (in|on|to) (a|the|my) (card|cover letter|dating profile|cv|speech|condolence letter)( for my {relative}| to {person}|)?)
  ((quel temps fait-il|quel temps fera-t-il)( à {city}|)( demain|)?|(i need|i'd like|i want|need|could use|would love|how about|fancy) (a|an|some) (poem|haiku|song|short story|limerick|rhyme|joke|sonnet|ballad) (about|for|on) (the |my |a |){noun})
  ((can you|could you) (drive|see|hear me|call me|feel|dream|dance)?|(explain|tell me) (it |this |)(simply|to a child|like i'm five|in one sentence|in plain words)?: (gravity|electricity|dna|blockchain|tax|time zones|the big bang|atoms|{subject}))
  ((which|what) language is (this|that|{coined}|spoken in {country})?|(schreib|escribe|écris|scrivi|skriv|napisz) (mir |me |moi |)(ein gedicht|un poema|un poème|una poesia|en dikt|wiersz|bitte einen brief)( über {noun}| sobre {noun}| sur {noun}|))
  ((my|the) {noun} (hurts|is broken|does not work), what should i do?|(which|what) (medicine|pill|vitamin|exercise|tea|diet|doctor) (helps|is good|works|is best|should i take) (against|for|with) (a cold|headaches|stress|insomnia|back pain|fever)?)
  (how (many people|far|old|big|tall) (live in|is it to|is|is) {city}?|(pros and cons|advantages|disadvantages|history|future|causes|origins|importance) of ({noun}|{subject}|{hobby}|living in {city}|being a {job}|electric cars|{food})(, please|)?)
  ((was ist|erkläre|erklär mir) (die relativität|{noun}|die inflation)?|(headlines|latest|today's headlines|the news|breaking news|sports news|stock prices|football results|lottery numbers)( of today| from {country}| about {company}|)(, please|)?)
  ((check|read|answer) my (email|emails|mail|messages|calendar|whatsapp)|(why|how come) (do|does|is|are) (we dream|people yawn|ice float|the sun hot|leaves fall|onions make you cry|the sea blue|time pass|bees dying|stars shine|{animal}s extinct)?)
  (how (do|can) i (become|get) (a {job}|rich|healthy|better at {hobby})?|how (does|do|is|are) (a|the|) (engine|heart|vaccine|rainbow|battery|bees|magnets|planes|fridge|brain|volcano|tide|radio|bridge) (work|fly|form|made|think|happen|come about)?)
  ((translation|translate|into {language})(: |, please: |: please, ){noun}|(code|build|program|make|develop) me (a|an) (snake game|calculator|web shop|todo app|website|bot|iphone app|landing page|parser|browser plugin)( in {code}| for {company}|))
  ((make me laugh|say something funny|entertain me|sing a song|surprise me)|(i'm|i am) (lonely|in love|heartbroken|afraid of {animal}s|nervous about {noun}|angry at {person}), (what should i do|what now|give me advice|help me|talk to me about it))
  ((écris|raconte)(-moi|) (un poème|une histoire|une blague)( sur {noun}|)|(what's|what is|tell me|give me) your (opinion|view|take|favourite {noun}|favourite colour|opinion on {noun}|star sign|dream|biggest fear|favourite food)( on {subject}|)?)
  ((wie wird das wetter|wie ist das wetter|regnet es morgen)( in {city}|)?|(can you|could you|i want you to|please) (draw|paint|sketch|render|photoshop|animate|design) (a|an|me a|the) ({animal}|{noun}|tattoo|poster|comic|banner|floor plan|flyer))
  ((what is|what's) the (difference|connection) between {noun} and {noun2}|(picture|photo|image|sketch|drawing|portrait|cartoon|logo|meme|wallpaper|icon) of (a|an|the|my) ({noun}|{animal}|{pet}|{adjective} {noun})(, please| please| in {colour}|))
  ((escribe|cuéntame) (un poema|una historia|un chiste)( sobre {noun}|)|(when|where|why|how) did (the war|the second world war|the roman empire|the titanic|the dinosaurs|the ice age|the berlin wall) (end|begin|start|sink|die out|fall|happen)?)
  ((will|does) it (rain|snow)( in {city}|)( tomorrow| on {weekday}| today|)?|(wer|was|wo|wann|warum) (ist der präsident von {country}|ist die hauptstadt von {country}|liegt {city}|war der krieg|ist der himmel blau|bedeutet {noun}|gewann gestern)?)
  ((search the web|google|look online|browse the internet) for {noun}|(will|is|does) (ai|a robot|the world|humanity|the euro|{company}|{country}) (take over|end|go bankrupt|rule us|survive|collapse|become rich|replace us)( soon| by 2050|)?)
  ((install|download) (a game|windows|photoshop|an app on my phone)|(cheer me up|make me smile|i'm bored, entertain me|amuse me|tell us something funny|be funny|do an impression of {animal}s|say something wise|motivate me|flirt with me))
  ((turn|switch) (on|off) the (light|lights|heating|tv|music|alarm)|(riddle|joke|fun fact|tongue twister|pun|quote of the day|proverb|pick-up line|bedtime story|compliment|magic trick)( about {animal}s| for kids| please| in {language}|))
  ((compare|which is better:) {code} (and|or) {code2}|(get me|fetch me|bring me|i want|i'd like|deliver|order me) (a |an |some |two )(pizza|coffee|taxi|beer|burger|glass of water|parcel|bunch of flowers)( to my door| now|))
  ((spell|define|what is the definition of) {noun}|(the|my) (washing machine|car|sink|toilet|heating|printer|tv|oven) (leaks|is dead|makes a noise|smells|is blocked|won't start), (how do i fix it|who can help|what now)?)
  (how do you say {noun} in {language}?|(would you mind|mind|how about) (writing|composing|drafting) (a|an) (letter|email|reply|poem|toast|complaint|review) (to|for|about) ({person}|my {relative}|the {noun})?)
  ((is|why is) {big} (a prime number|divisible by {number}|odd|even|a square)?|(pay my|cancel my|renew my|check my|extend my) (rent|electricity bill|phone contract|netflix subscription|gym membership|bank balance|parking ticket)( please| online|))
  (who (won|is winning) the (game|match|election|world cup|race)( in {city}|)?|(flip a coin|roll a dice|toss a coin|heads or tails|rock paper scissors|truth or dare|guess a number|twenty questions|let's play chess|play hangman)( with me| please|))
  ((what's|what is) (half|a third|a quarter|{number} percent|twice) (of |){big}?|(do you|would you|could you) (like|love|prefer|believe in|hate|fear|want|eat) ({food}|{animal}s|{hobby}|god|ghosts|music|{city}|{colour}|love|football)( too| more|)?)
  ((what|which) (day|date) is (easter|christmas|the full moon) (in|this) {year}?|how (do|can) i (lose weight|sleep better|get fit|stop smoking|quit sugar|calm down|save money|get a visa|pay less tax|make friends|find a job)( fast| in {country}|)?)
  ((copy|print|scan|fax) (a|the|my) (key|passport|photo) (for me|please|on paper)|(which|what) (film|book|show|podcast|album|game|car|phone|laptop|camera|bike) (should|shall) (i|we) (watch|read|get|listen to|take|try)( tonight| next| in {year}|)?)
  ((was soll ich|was kann ich) (kochen|lesen|anziehen|essen|schenken)( heute|)?|how (do|can|should|long do) (i|you|we) (cook|bake|fry|make|prepare|boil|season|freeze|store|roast) (a |the |some |){food}( for {number} people| properly| quickly|)?)
  ((übersetze|übersetz) (das|{noun}) (ins|nach|auf) (englische|französische|deutsch)|(go online|use the internet|open the browser|open youtube|open facebook|go to amazon|visit {coined}.org|log me in to {coined}.com)( and look for {noun}| please|))
  (recipe|recipes|a recipe|a good recipe|ingredients|cooking time|side dish|wine|calories) (for|with|to go with|in) {food}(, please| please| for {number} people|)?
  ((what is|what's|how much is) {number} (times|plus|minus|divided by|\\*|x) {number2}?|(what|who) (caused|started|ended|came after|came before) (the french revolution|the first world war|the cold war|the plague|the renaissance|the moon landing)?)
  ((quick|easy|hard) (maths|math|sum|calculation): {number} (times|plus|minus|over) {big}|(sag mir (etwas über {city}|was {noun} heißt|einen spruch|etwas lustiges)|dis-moi (une énigme|qui dirige {country})|dime (una adivinanza|algo sobre {city})))
  ((what is|what's) the (capital|population|currency|highest mountain|flag) of {country}?|(put|add|enter|block|move) (a|an|the|this) (meeting|call|appointment|event) (in|into|on|to) my (calendar|google calendar|outlook)( on {weekday}| at {hour}|))
  ((what is|what's|any) (the|) (news|latest news)( from {country}| about {noun}| today|)?|(buy|sell|trade|invest in|bid on) ({number} shares of {company}|bitcoin|a {noun} on ebay|{noun} on amazon|a {car}|gold|stocks|my {noun})( for {big} euros|))
  ((translate|can you translate) (this|this text|the following|that) (to|into) {language}|(poem|story|haiku|essay|joke|song|article|blog post|review|sketch) about (the |a |my |){noun}(, please| please|, short|, in {language}|, with a happy end|))
  ((where|in which country|on which continent) (is|lies|do i find) {city}( on the map|)?|(horoscope|tarot|lucky number|my future|palm reading|a prophecy|fortune cookie|dream meaning|zodiac sign)( for today| for {month}| please| of a {animal}|))
  (who (is|was) the (president|king|queen|mayor|prime minister|chancellor) of {country}?|how (many|much) (metres|feet|inches|litres|grams|ounces|seconds|days|cups) (are|is|in|make) (in |){number} (miles|yards|gallons|pounds|weeks|years|kilos)?)
  ((mean|average|median|sum|product|root) of {number}, {number2} and {big}(, please|)?|(tell|text|email|message|write to|let) ({person}|my {relative}|my boss) (know |)that i('ll be| am| will be) (late|sick|on my way|at home|there at {hour}))
  (do i have|have i got|is there|are there) (any |)(new |unread |)(mail|emails|voicemails|missed calls|texts|whatsapps|followers)( from {person}| today|)?
  (what|which) (present|gift|surprise|flowers|book|toy|perfume) (for|would suit|would please|should i give|could i give) (my {relative}|{person}|a {job})?
  ((write|finish|continue) (my|a) (thesis|book|homework|novel|essay|screenplay)( about {noun}|)|(act|pretend|behave|talk|answer) (as if you were|like|as) (a|an) (pirate|{job}|king|{animal}|robot from the future|wizard|detective|{adjective} {job}))
  ({number} (times|x|plus|minus|divided by|*|-|+|/) {number2}( is| equals| =| makes| please|)?|(how do|how can|how would) (i|you|one) (sort|reverse|loop over|parse|declare|initialise|filter) (a|an) (list|array|string|map|struct|class) in {code}?)
  who (was|is|were) (napoleon|cleopatra|einstein|mozart|the beatles|marie curie|gandhi|columbus|darwin|beethoven|the vikings)( and why famous| really|)?
  (any|is there|are there) (snow|fog|storm|frost|thunder|rain|hail|traffic|strikes|delays) (in|near|around|on the way to) {city}( today| tonight| now|)?
  ((what|which) (skill|skills) (should i|do i need to) (learn|have) (to be|to become|as) a {job}?|(pay|transfer|send|wire|lend|donate) ({number}|{big}) (euros|dollars|pounds) (to|from my account to) ({person}|my {relative}|{company}|the landlord))
  ((memory|files|skills|commands), (what do these words mean|explain these words in {language})?|(describe|look at|who is in|what is on|what do you see in|recognise) (this|the|my) (picture|photo|painting|selfie|screenshot|image|video)( for me|)?)
  (i am|i'm|we are) (off|going|travelling|flying) to {city}, (what should i see|what do i need to know|book me a hotel|where can i eat well|any tips)?
  ((speak|talk|answer|reply|chat) (to me |with me |)(in|only in) {language}( from now on| please|)|(how is|how's|what about) the (stock market|share price of {company}|price of gold|bitcoin price|traffic|euro|dollar|economy)( doing| today| now|)?)
  ((lock|shut|unbolt) the (door|garage|window|curtains|blinds|gate|car|fridge)( please| at {hour}|)|(if|when) a train (leaves|starts|goes) at {hour} (with|at) {number} km per hour, (when does it arrive|how far does it get|how long does it need)?)
  ((what|which) (city|town) is the (biggest|oldest|most beautiful|richest|capital) (in|of) {country}?|(listen to|transcribe|subtitle|cut|edit|dub) (this|the|my) (video|recording|song|podcast|voice message|film|phone call)( please| in {language}|))
  (how much (is|are|makes) {number} (percent of|times|divided by|and|minus) {big}( euros| together|)?|(wake|call|ring|alert|ping|notify|warn) me (up |)(at {hour}|in {number} minutes|tomorrow morning|on {weekday}|when it rains|when {person} calls))
  ((schreib|schreibe|dichte) (mir |)(ein gedicht|eine geschichte|einen brief|ein lied)( über {noun}|)|(a|one) (table|room|flight|ticket|car|haircut|seat) (for two|for {number}|to {city}|in {city}) (on {weekday}|at {hour}|tomorrow|tonight), please)
  ((what|anything) (goes|tastes good|can i make|could i cook|to cook|fits) with {food}( and {food2}|)?|(should|shall) i (marry|quit my job|move to {city}|buy a {noun}|learn {language}|sell my {car}|study {subject}|call my ex|invest in {company})?)
  ((how do i|how can i) (remember|memorise|learn) (names|{language}|vocabulary|things) (better|faster)?|(how would|how should|how can|how could) (i|one) (put|phrase|say|express) (this|that|it) (politely|better|more formally|nicely|in {language})?)
  (do you remember (the eighties|the first man on the moon|the last world cup|when {city} was founded)?|(is|are|was|were) ({noun}|{food}|{coffee}|sugar|meat|sport) (healthy|good for you|dangerous|expensive|bad for the heart|better than {food2})?)
  (({noun}|thank you|good morning|i love you|hello) in {language}(, how do i say that|: how|, please)?|(what do|what does|how do|where do) (a |an |)({animal}|{animal}s|babies|elephants|bees|penguins) (eat|sleep|live|communicate|see|sound like)?)
  ((what is|explain) (a|the) (file|folder|command|terminal|skill|memory)( in general| in computing|)?|(lights|light|heating|tv|alarm|fan|vacuum|air conditioning|oven|blinds) (on|off|up|down|in the {place} on|in the {place} off)( please| now|))
  (who (runs|rules|governs|leads|was the first to lead) {country}( now| at the moment| in {year}|)?|(for|on) (my {relative}'s|our|the) (birthday|wedding|anniversary|farewell): (a poem|a speech|a toast|a few nice words|a card text)( please|))
  ((quelle est|cuál es|qual è|qual é) (la capitale|la capital|la capitale|a capital) (de|di|do) {country}?|(ring|dial|call|facetime|video call|skype) (up |)({person}|my {relative}|the doctor|the police|the {shop}|a taxi|home)( now| please| back|))
  ((how is|how do you|how to) (spell|pronounce|spelled|write|hyphenate) {noun}( correctly| in {language}|)?|({code} or {code2}|learn {code} or {code2}|is {code} faster than {code2}|why {code} and not {code2}|who uses {code} today|is {code} dead)?)
  ((quiz|test|examine) me (on|about|in) ({subject}|{language}|capitals|history|vocabulary|the times tables)|(best|cheapest|nearest|good) (hotel|restaurant|pizza|doctor|beach|café|pub|school|dentist|supermarket) (in|near|around) {city}(, please|)?)
  how (do|can|would) (i|we|one) (get|travel|drive|go) (from {city} to {city2}|to {city}|to {country})( by train| by car| on foot| cheaply|)?
  ((an|the|one|some) (essay|article|speech|report|paragraph|blog post|text) of {big} words (about|on) {subject}|(which|what) (sights|museums|beaches|restaurants|places) (are there|should i see|are worth it|do you recommend) in ({city}|{country})?)
  ((what is|what's) the (meaning of life|best {noun}|price of {noun}|value of bitcoin|share price of {company})?|(synonym|synonyms|antonym|opposite|rhyme|rhymes|plural|anagram|etymology|another word|pronunciation) (for|of|with) {noun}(, please|)?)
  ((convert|how much is) {number} (dollars|miles|pounds|degrees) (to|in|into) (euros|kilometres|kilos|celsius)|(repair|fix|mend|replace|assemble|service) my (washing machine|bike|car|tap|roof|oven|boiler|tyre|watch|shoes|sofa)( please| for me|))
  (what's for|ideas for|suggestions for) (dinner|lunch|breakfast|a picnic|sunday lunch|a buffet)( tonight| with {food}| without meat|)?
  (do i|will i|should i) (need|take|wear|bring) (an umbrella|a coat|a jacket|sunglasses|boots|sun cream)( today| tomorrow| in {city}|)?
  (is it legal|am i allowed|do i need a permit|is it a crime) to (park|fish|camp|smoke|film|build|drive|work) in ({country}|{city})?
  (who|which team) (plays|is playing|leads|scored|came first|lost) (tonight|today|in the league|in {city}|on {weekday}|last night)?
  {number} (usd|dollars|pounds|yen|francs|miles|inches|fahrenheit) (in|to|as) (eur|euros|dollars|km|centimetres|celsius)( please|)?
  ((wie viel ist|was ist|was macht|combien font|cuánto es|quanto fa) {number} (mal|plus|minus|fois|por|più) {number2}?|(port|convert|translate|migrate|rewrite) (this|my|the) (code|app|project|class|function|query) (to|into|from {code2} to) {code})
  ((which|what) (law|tax|visa|vaccine|permit|insurance|fine) (applies|do i need|do i pay|is there) (in|for) {country}?|(how long|how far) (is|does it take|is the flight|is the drive) (from {city} to {city2}|to {city}|between {city} and {city2})?)
  ((how long|how old|how fast|how much|how high) (does|can|do) (a|an) {animal} (live|get|run|weigh|jump|sleep|eat|grow)?|(what is|what's|how is|how will be) the (weather|forecast|temperature)( like|)( in {city}|)( today| tomorrow| on {weekday}|)?)
  ((where is|track|when comes|when does) my (parcel|package|order from {company}|delivery|pizza|taxi|bus)( come| arrive|)?|(has|did) {country} (win|won|beat|play|lose|qualify)( against {country2}| the final| last night| yesterday| on {weekday}|)?)
  ((spiel|mach|stell|buche|bestell|ruf) (musik|das licht an|den wecker|ein hotel in {city}|eine pizza|{person} an)( bitte|)|(sing|hum|whistle|rap|beatbox|dance|clap) (me |)(a song|something|happy birthday|a lullaby|the anthem of {country}|for me))
  ((make it|set the room to|set the heating to|heat the {place} to|warm the house to) ({number} degrees|warmer|colder|cosy)|(the|what is the|what's the|need the|give me the) {language} (word|translation|term|expression) (for|of) {noun}(, please|))
  ((what should i|what could i|what can i) (cook|eat|wear|read|watch|buy|do)( tonight| today| this {weekday}| in {city}|)?|(remember the titans|save the whales|run a marathon|forget paris|the notebook), (who made it|what is that|is that a film)?)
  ((weather|forecast|weather report|temperature|rain) (in|for|at|near) {city}( today| tomorrow| on {weekday}| please| now|)?|(how|what) (warm|cold|windy|hot|wet) (is it|will it be|does it get|was it) in {city}( today| in {month}| tomorrow| now|)?)
  ((is|are) (there |)(a train|a bus|a ferry|flights|tickets) (to|from) {city} (on {weekday}|at {hour}|tomorrow|tonight)?|(timer|alarm|countdown|stopwatch|snooze|wake-up call)(: | for | in | at )({number} minutes|{hour}|an hour|ten seconds))
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

/** What a small model on a computer cannot do, whatever it is done to; for training alone, because no wording of it is held back. */
const ACTS =
  'polish|sharpen|water|decorate|knit|weave|glue|hammer|drill|fold|iron|peel|slice|chop|stir|grill|toast|taste|smell|chew|swallow|drink|' +
  'eat|feed|walk|hug|kiss|tickle|scold|praise|greet|marry|hire|promote|elect|sue|arrest|chase|hunt|catch|throw|kick|punch|lift|pull|push|' +
  'drag|carry|climb|jump over|swim to|dive for|surf|ride|drive|steer|park|tow|fly|land|sail|row|anchor|board|pack|ship|mail|stamp|weigh|' +
  'balance|tune|strum|whistle|hum|sing|dance|juggle|film|photograph|sketch|carve|sculpt|mould|bake|boil|fry|roast|season|serve|pour|spill|' +
  'mop|sweep|dust|vacuum|scrub|rinse|wash|dry|hang up|sew|stitch|mend|rebuild|demolish|dig|plant|prune|harvest|mow|rake|saddle|milk|shear|' +
  'groom|tame|breed|vaccinate|operate|heal|cure|bandage|massage|diagnose|inject|print|fax|staple|laminate|frame|wrap|unwrap|donate|rent|' +
  'lease|sell|auction|insure|tax|audit|trade|gamble with|bet on|win|lose|score|referee|coach|cheer for|applaud|interview|survey|poll|' +
  'debate|persuade|flatter|bribe|rescue|protect|guard|bolt|seal|melt|freeze|heat|cool|light|extinguish|burn|ignite|compose|rhyme|narrate|' +
  'dramatise|caricature|animate|render|paint|colour|tint|shade|prove|solve|integrate|derive|factor|graph|plot|estimate|forecast|imagine|' +
  'meditate on|pray for|bless|curse|hypnotise|clone|colonise|teleport|explain|describe|review|rate|criticise|advertise|market|brand|design|' +
  'model|simulate|prototype|refactor|debate|analyse|interpret|paraphrase|proofread|punctuate|spellcheck|footnote|cite|dub|subtitle'

const actTemplates = [
  `(${ACTS}) (the |a |my |our |this |some |more |ten |every |)({adjective} |){noun}`,
  `(${ACTS}) (the|my|our|a) {noun} (for|with|like|next to|in|on|before) (me|{person}|{city}|the {noun2}|{weekday}|my {relative})`,
  `(${ACTS}) ({person}|my {relative}|the {pet}|{company}|{food}|{animal}|the {instrument})( at {hour}| in {city}| quickly|)`,
  `(how|why|when|where|with what|who) (do|does|did|would|can|should|will) (i|you|we|one|they|{person}|my {relative}) (${ACTS}) (the |a |my |){noun}?`,
  `(is|was|are|were) (the |a |my |)({adjective} |){noun} (really|often|always|better|worse|known|famous|made|used) (in|by|for|than|with|of) (the |a |){noun2}?`,
  `(what|how|which) (kind of |many |much |old |sort of |){noun} (do|does|did|would|can) (the |my |a |){noun2} (have|need|get|take|want|cost)?`,
  `{coined} (the|a|my) ({adjective} |){noun}`,
]

export const unknown: readonly Task[] = [
  {
    id: 'unknown',
    weight: 26,
    async run(talk: Talk) {
      const acts = talk.split === 'train' && talk.random.chance(0.3)
      talk.ask(talk.word(acts ? { train: actTemplates, test: [] } : unknownWordings))
      talk.focus = {}
      talk.answer(BEYOND, { kind: 'unknown' })
    },
  },
]
