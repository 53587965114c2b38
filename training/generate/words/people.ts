import { list } from './list.ts'

/** First names from many countries. */
export const names = list(`
Anna, Ben, Clara, David, Emma, Felix, Grace, Hannah, Ivan, Julia, Karl, Laura, Marco, Nina, Oscar, Paula, Quentin, Rosa, Simon, Tina,
Ursula, Victor, Wendy, Xavier, Yusuf, Zoe, Adam, Bella, Carlos, Diana, Elias, Fatima, Georg, Helena, Ingrid, Jonas, Katrin, Leo, Maria,
Noah, Olivia, Peter, Rafael, Sofia, Thomas, Uma, Valentin, Walter, Yara, Zara, Ahmed, Aisha, Akira, Alice, Amara, Amir, Andre, Anil,
Anton, Aria, Arthur, Astrid, Ayumi, Beatriz, Bruno, Camila, Cedric, Chen, Chiara, Chloe, Dario, Deepa, Dmitri, Edith, Eduardo, Elena,
Elif, Emil, Enzo, Erik, Esther, Eva, Farid, Finn, Florian, Frida, Gabriel, Giulia, Hamid, Haruto, Heidi, Hugo, Ibrahim, Ida, Igor,
Ines, Irene, Isabel, Jakob, Jamal, James, Jana, Jasper, Joao, Johan, Judith, Kai, Karim, Kenji, Kira, Klaus, Lars, Layla, Lena, Liam,
Lina, Linus, Lucia, Luis, Luka, Lydia, Magnus, Malik, Manuel, Margot, Martin, Mateo, Maya, Mei, Mia, Miguel, Mila, Mohamed, Monika,
Nadia, Naomi, Natalia, Nico, Nora, Olaf, Omar, Otto, Pablo, Patrick, Pedro, Philip, Pia, Priya, Rahul, Ralf, Ramona, Rebecca, Ricardo,
Robin, Roland, Ruth, Sam, Samira, Sandra, Santiago, Sara, Sebastian, Selma, Sergei, Silvia, Stefan, Sunita, Sven, Tamara, Tariq, Theo,
Tobias, Tom, Vera, Viktoria, Vincent, Yasmin, Yuki, Zainab, Agnes, Albert, Alma, Amelie, Arne, Aurora, Basil, Bianca, Boris, Bridget,
Caleb, Carmen, Cora, Cyrus, Daisy, Dalia, Dominik, Doris, Edgar, Eleni, Ella, Ezra, Fiona, Flora, Gideon, Gloria, Gustav, Hazel, Henry,
Holly, Imran, Iris, Isaac, Ivy, Jack, Jade, Joel, Josef, June, Kara, Kofi, Lara, Leonie, Lola, Lukas, Mara, Max, Megan, Moritz, Nils,
Odile, Oleg, Pascal, Pearl, Quinn, Raj, Remi, Rita, Roman, Rosalind, Rupert, Sanjay, Sylvie, Tessa, Timo, Toni, Uwe, Viola, Wanda, Zeno`)

export const petNames = list(`
Rex, Bello, Luna, Milo, Coco, Simba, Nala, Balu, Rocky, Daisy, Lucky, Minka, Felix, Oscar, Whiskers, Fluffy, Buddy, Molly, Charlie,
Bailey, Ginger, Pepper, Cookie, Mango, Biscuit, Pixel, Socks, Shadow, Tiger, Snowy, Patch, Waffle, Noodle, Peanut, Ziggy, Bandit, Pablo,
Maple, Clover, Jasper, Sunny, Rusty, Dusty, Misty, Teddy, Chewie, Loki, Thor, Odin, Freya, Zeus, Apollo, Muffin, Pickles, Olive, Hazel,
Basil, Kiwi, Taco, Sushi, Mochi, Tofu, Button, Bruno, Gizmo, Sparky, Toffee, Truffle, Nugget, Turbo, Pumpkin, Willow, Poppy, Bramble`)

export const cities = list(`
Berlin, Lisbon, Madrid, Paris, London, Dublin, Vienna, Prague, Warsaw, Athens, Rome, Milan, Zurich, Oslo, Stockholm, Helsinki, Copenhagen,
Amsterdam, Brussels, Hamburg, Munich, Cologne, Leipzig, Dresden, Bremen, Lyon, Marseille, Nice, Toulouse, Bordeaux, Porto, Seville,
Valencia, Barcelona, Bilbao, Naples, Turin, Bologna, Florence, Venice, Budapest, Bucharest, Sofia, Belgrade, Zagreb, Riga, Vilnius,
Tallinn, Kyiv, Istanbul, Ankara, Izmir, Cairo, Tunis, Lagos, Nairobi, Accra, Dakar, Cape Town, Mumbai, Delhi, Pune, Chennai, Dhaka,
Lahore, Tokyo, Osaka, Kyoto, Seoul, Busan, Beijing, Shanghai, Taipei, Hanoi, Bangkok, Manila, Jakarta, Singapore, Sydney, Melbourne,
Perth, Auckland, Toronto, Montreal, Vancouver, Ottawa, Boston, Chicago, Denver, Seattle, Portland, Austin, Dallas, Houston, Miami,
Atlanta, Phoenix, New York, San Diego, Mexico City, Lima, Bogota, Quito, Santiago, Buenos Aires, Montevideo, Sao Paulo, Recife, Havana,
Bern, Basel, Geneva, Graz, Salzburg, Linz, Innsbruck, Ghent, Bruges, Utrecht, Rotterdam, Leiden, Aarhus, Malmo, Uppsala, Bergen,
Tampere, Turku, Krakow, Gdansk, Brno, Bristol, Leeds, York, Oxford, Cambridge, Glasgow, Edinburgh, Cardiff, Belfast, Cork, Galway`)

export const countries = list(`
Germany, Portugal, Spain, France, England, Ireland, Austria, Poland, Greece, Italy, Switzerland, Norway, Sweden, Finland, Denmark,
Belgium, Hungary, Romania, Bulgaria, Serbia, Croatia, Latvia, Lithuania, Estonia, Ukraine, Turkey, Egypt, Tunisia, Nigeria, Kenya, Ghana,
Senegal, India, Bangladesh, Pakistan, Japan, Korea, China, Taiwan, Vietnam, Thailand, Indonesia, Australia, New Zealand, Canada, Mexico,
Peru, Colombia, Ecuador, Chile, Argentina, Uruguay, Brazil, Cuba, Morocco, Iceland, Scotland, Wales, Slovenia, Albania, Georgia, Nepal`)

export const jobs = list(`
nurse, teacher, doctor, baker, carpenter, gardener, designer, developer, writer, editor, translator, lawyer, plumber, electrician, chef,
waiter, farmer, pilot, driver, librarian, pharmacist, dentist, vet, architect, engineer, accountant, painter, photographer, musician,
actor, journalist, scientist, biologist, chemist, physicist, student, professor, researcher, manager, consultant, mechanic, tailor,
hairdresser, barber, firefighter, paramedic, midwife, therapist, social worker, cashier, salesperson, bus driver, postman, florist,
butcher, fisherman, potter, welder, mason, roofer, surveyor, tester, data analyst, product manager, tour guide, swimming teacher,
piano teacher, cook, cleaner, judge, banker, broker, curator, dancer, singer, director, producer, sculptor, weaver, beekeeper, forester`)

/** People that somebody has one of. */
export const relatives = list(`
sister, brother, wife, husband, son, daughter, mother, father, partner, boss, doctor, dentist, neighbour, landlord, best friend,
roommate, teacher, coach, girlfriend, boyfriend, aunt, uncle, cousin, niece, nephew, grandmother, grandfather, mom, dad, manager,
colleague, therapist, hairdresser, accountant, lawyer, plumber, vet, babysitter, trainer, mentor, godson, goddaughter, stepfather,
stepmother, grandson, granddaughter, flatmate, tutor, gardener, mechanic`)

export const pets = list(`
dog, cat, parrot, hamster, rabbit, horse, turtle, snake, goldfish, guinea pig, budgie, ferret, pony, puppy, kitten, lizard, canary, goat,
chicken, donkey, gecko, mouse, rat, duck, pig, sheep, cow, chinchilla, cockatoo, tortoise`)

export const companies = list(`
Siemens, a bakery, a bank, a small startup, the city library, the hospital, the post office, a law firm, Globex, Initech, Acme, a school,
the university, a garden centre, a hotel, a museum, the airport, a print shop, Bluebird Labs, Northwind, Contoso, Fabrikam, a car shop,
a call centre, a pharmacy, a newspaper, a radio station, Greenleaf, Redwood Studio, Harbour Foods, Stonebridge, Maple and Co, Silverline,
a bookshop, a travel agency, an insurance company, a theatre, the town hall, a kindergarten, a bike shop, Brightside, Lumen Works`)
