"""Names of people and towns, which show what the texts of a list without headings are.

One text is weak evidence, a whole column is strong: the question is never what one name is, but what most are.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

# First names and short forms as they appear on American lists. Words of cards and teams (Ace, King, Queen, Star) are
# left out, although some people have these names.
FIRST_NAMES = frozenset(
    """
    aaron abby abdul abigail abraham ada adam addie adela adele adrian adriana adrienne agnes ahmad ahmed aida aileen
    aisha al alan albert alberta alberto alejandra alejandro alex alexander alexandra alexandrina alexis alfonso
    alfred alfreda alfredo ali alice alicia alisha alison allan allen allie allison alma alonzo alphonso althea alton
    alvin alyssa amanda amara amber amelia amie amos amy ana anderson andre andrea andres andrew andy angel angela
    angelica angelina angelo angie anita ann anna anne annette annie anthony antoine antoinette antonia antonio antwan
    april archie ariana ariel arlene armando arnold arthur arturo asha ashley audra audrey augustus aurora austin ava
    avery barb barbara barney barrett barry bart bartholomew bea beatrice becky belinda bella ben benjamin bennie
    benny bernadette bernard bernice bernie bert bertha bess bessie beth bethany betsy bettie betty bettye beulah bev
    beverly bianca bill billie billy blaine blake blanca blanche bo bob bobbi bobbie bobby bonita bonnie boyd brad
    bradley brandi brandon brandy brenda brendan brent brett brian brianna bridget brittany brooke bruce bruno bryan
    bryant bryce bud buddy burt byron caitlin cal caleb calvin cameron camille candace candice cara carl carla carlo
    carlos carlton carmela carmen carol carole caroline carolyn carrie carroll carter cary casey cassandra catalina
    catherine cathy cecelia cecil cecilia cedric celeste celia cesar chad chandra charlene charles charley charlie
    charlotte chas chaz chelsea cheri cherie cheryl chester chet chloe chris christa christian christie christina
    christine christopher christy chuck cicely cindy claire clara clarence clarissa clark claud claude claudette
    claudia clay clayton clem cleo cleveland cliff clifford clifton clint clinton clyde cody colette colin colleen
    connie conrad constance consuelo cora corey corinne cornelia cornelius cornell cory courtney craig cristina
    crystal curt curtis cy cynthia cyril d'angelo daisy dale dalton damon dan dana daniel daniela danielle danny
    daphne darius darla darlene darnell darrel darrell darren darryl daryl dave davey david davis dawn dean deanna deb
    debbie deborah debra dee deidre deirdre delia delilah della delores deloris demarcus demetria demetrius denise
    dennis denny derek derrick deshawn desiree desmond devin devon dewayne dewey dexter di diana diane dianne dick
    diego dina dionne dirk dixie dolores dominic dominique don donald donna donnell donnie donny dora doreen doris
    dorothea dorothy dot dottie doug douglas doyle drew duane dustin dwayne dwight dylan earl earlene earline earnest
    ebony ed eddie edgar edith edmund edna eduardo edward edwin edwina effie eileen elaine elbert eleanor elena eli
    elias elijah elinor elisa elise eliza elizabeth ella ellen ellie elliot elliott ellis elmer elnora eloise elsa
    elsie elton elvin elvira elvis elwood emanuel emil emilia emilio emily emma emmanuel emmett enrique eric erica
    erick ericka erik erika erin erma ernest ernestine ernesto ernie errol ervin esmeralda estela estella estelle
    esther ethan ethel etta eugene eugenia eula eunice eva evan evangeline eve evelyn everett ezra fannie farrah
    fatima fay faye felicia felipe felix fern fernando flo flora florence florine floyd forrest fran frances francesca
    francine francis francisco frank frankie franklin fred freda freddie frederick frieda gabe gabriel gabriela
    gabrielle gail garland garrett garry garth gary gavin gayle gene geneva genevieve geoffrey george georgette
    georgia georgina gerald geraldine gerard gerry gertrude gilbert gilberto gina ginger ginny giovanni gladys glen
    glenda glenn gloria gordon grace graciela grady graham greg gregg gregory greta gretchen guadalupe guillermo gus
    guy gwen gwendolyn hakeem hal hank hannah hans harlan harold harriet harriett harris harrison harry harvey hassan
    hattie hazel heather hector heidi helen helena helene henrietta henry herb herbert herman hilda hillary hiram
    hollis holly homer horace hortense howard hubert hugh hugo hunter ian ida ignacio ike ilene ina inez ingrid ira
    irene iris irma irvin irving isaac isabel isabella isaiah ismael israel ivan ivy jack jackie jackson jaclyn jacob
    jacqueline jacquelyn jacques jada jade jaime jake jalen jamal jamar james jamie jan jana jane janelle janet
    janette janice janie janine jared jasmine jason jasper javier jay jayne jean jeanette jeanine jeanne jeannette
    jeannie jeff jefferson jeffery jeffrey jen jenna jennie jennifer jenny jerald jeremiah jeremy jermaine jerome
    jerri jerry jess jesse jessica jessie jesus jill jim jimmie jimmy jo joan joann joanna joanne joaquin jocelyn jodi
    jody joe joel joey johanna john johnathan johnnie johnny jon jonah jonas jonathan jordan jorge jose josefina
    joseph josephine josh joshua josie josue joy joyce juan juana juanita judi judith judy jules julia julian juliana
    julie juliet julio julius june justin justine kaitlyn kara kareem karen kari karin karl karla kate katherine
    kathleen kathryn kathy katie katrina kay kaye kayla keisha keith kelley kelli kellie kelly kelsey kelvin ken
    kendall kendra kendrick kenisha kenji kenneth kenny kent kermit kerri kerry kevin khalil kiara kim kimberly kira
    kirk kris krista kristen kristi kristin kristina kristine kristy kurt kwame kyle lacey ladonna lakeisha lakisha
    lamar lamont lana lance larry lashawn latanya latasha latisha latonya latoya laura laurel lauren laurence laurie
    lavern laverne lavonne lawanda lawrence lea leah leandro leann lee leigh leila lela leland lena lenny lenora leo
    leola leon leona leonard leonardo leroy les lesley leslie lessie lester leticia levi lewis lila lillian lillie
    lilly lily lina linda lindsay lindsey lionel lisa liz liza lizzie lloyd lois lola lonnie lora loraine loren lorena
    lorenzo loretta lori lorna lorraine lou louella louie louis louisa louise lowell lucas lucia lucien lucille
    lucinda lucy luella luis luisa luke lula lupe luther luz lydia lyle lynda lynette lynn lynne mabel mable mack
    mackenzie maddie madeline madge mae maggie mahalia malcolm malik mamie mandy manny manuel mara marc marcel
    marcella marci marcia marcos marcus marcy margaret margarita marge margie margo margot marguerite maria mariah
    marian marianne maribel marie marilyn mario marion marisa marisol marissa marjorie mark marla marlene marlin
    marlon marquis marsha marshall marta martha martin martina marty marv marva marvin mary maryann mason mathew
    matilda matt mattie matthew maude maura maureen maurice mavis max maxine maya mayme megan mel melanie melba
    melinda melissa melody melvin mercedes meredith merle merlin mervin mia micah michael micheal michele michelle
    miguel mike milagros mildred miles millard millicent millie milton mindy minerva minnie miranda miriam misty mitch
    mitchell moira mollie molly mona monica monique monroe monte morgan morris mose moses muhammad muriel murray myra
    myrna myron myrtle nadia nadine nan nancy nanette naomi nat natalia natalie natasha nate nathan nathaniel ned neil
    nell nellie nelson nettie nia nichole nick nicholas nick nicolas nicole nigel nikita nikki nina noah noel noelle
    nola nolan nora norbert noreen norm norma norman octavia odell odessa ola olga olive oliver olivia ollie omar opal
    ophelia ora orlando orville oscar osvaldo otha otis otto owen pablo paige pam pamela pat patrice patricia patrick
    patsy patti pattie patty paul paula paulette paulina pauline pearl pearlie pedro peggy penelope penny percy perry
    pete peter petra phil philip phillip phoebe phyllis pierre polly porter preston priscilla priya queenie quentin
    quincy quinn quinton rachael rachel rafael rahul raj ralph ramon ramona ramsey randal randall randi randolph randy
    raphael raquel rashad rasheed ravi ray raymond reba rebecca rebekah reggie regina reginald rena rene renee reuben
    rex reynaldo rhoda rhonda ricardo rich richard rick rickey rickie ricky rita rob robbie robert roberta roberto
    robin robyn rochelle rocky rod roderick rodney rodolfo rogelio roger roland rolando roman romeo ron ronald ronda
    ronnie roosevelt rosa rosalie rosalind rosalyn rosario roscoe rose roseann rosemarie rosemary rosetta rosie roslyn
    ross rowena roxanne roy royce ruben rubin ruby rudolph rudy rufus russ russell rusty ruth ruthie ryan sabrina
    sadie sal sally salvador salvatore sam samantha sammie sammy samuel sandra sandy sanford santiago santos sara
    sarah saul savannah scott scottie sean selena selma serena sergio seth seymour shana shane shanice shannon
    sharlene sharon shaun shauna shawn shawna sheila shelby sheldon shelia shelley shelly shelton sheree sheri sherman
    sherri sherrie sherry sherwin sheryl shirley sid sidney silas silvia simon simone sofia sol solomon sondra sonia
    sonja sonny sonya sophia sophie stacey stacy stan stanley stella stephan stephanie stephen sterling steve steven
    stevie stewart stuart sue susan susana susanna susanne susie suzanne suzette sybil sydney sylvester sylvia tabitha
    tamara tameka tami tamika tammy tania tanisha tanner tanya tara tasha tatiana taylor ted teddy tee terence teresa
    teri terrance terrell terrence terri terry tess tessa thad thaddeus thelma theo theodora theodore theresa therese
    thomas thurman tia tiffany tim timmy timothy tina tisha tito toby todd tom tomas tommie tommy toni tonia tony
    tonya tracey traci tracie tracy travis trent trevor trey tricia trina trisha tristan troy trudy turner twila ty
    tyler tyrell tyrone tyson ulysses ursula val valarie valencia valeria valerie vance vanessa vaughn velma vera
    verna vernell vernice vernon veronica vic vicki vickie vicky victor victoria vince vincent viola violet virgie
    virgil virginia vivian viviana wade wallace wally walt walter walton wanda warren wayne wei wendell wendy wes
    wesley whitney wilbert wilbur wilda wiley wilfred wilhelmina will willa willard william willie willis wilma wilson
    winifred winnie winona winston woodrow wyatt xavier ximena xiomara yasmin yolanda yvette yvonne zach zachary zack
    zane zelda zelma zoe zoey zora
    """.split()
)
TITLES = frozenset(
    "mr mrs ms miss dr rev reverend deacon sister brother pastor elder bishop sgt cpl capt lt maj".split()
)
# Words that never occur in people's names but often in teams'.
NEVER_IN_A_NAME = frozenset(
    """
    the of or in on a an to no and & club team crew boys girls men women ladies aces kings queens jacks jokers joker
    trump trumps blues sharks owls eagles masters sisters brothers slam books tight uptown downtown riders divas deuces
    suits bags void deal table talk rise fly low high big little wild
    """.split()
)
# What separates two people, and all people in a row.
# “Ann x Bo” and “Ann n Bo” in small letters: a team may be called Team X.
BETWEEN_TWO = r"\s*(?:\bw/|/|&|\+|\b(?:and|with)\b|(?<=\w)\s(?-i:x|n|’n’|'n')\s(?=\w|['’]){})\s*"
PEOPLE = re.compile(BETWEEN_TWO.format(""), re.IGNORECASE)
PEOPLE_IN_A_ROW = re.compile(BETWEEN_TWO.format("|[,;]"), re.IGNORECASE)
NO_PERSON = re.compile(r"(?:an?|the)\s|.*\b\d")
# “Lee, Ann”, and “Lee, Ann & Carter, Bo”; “Otis Reed, Jr.” stays.
TURNED = re.compile(
    r"([^,;|/&+]+),(?! *(?:jr|sr|ii|iii|iv)\b) *([^,;|/&+]+?)( (?:jr|sr|ii|iii|iv)\.?)? *", re.IGNORECASE
)
INITIALS = re.compile(r"[a-z]|(?:[a-z]\.){1,2}|[a-z]\.[a-z]")
APOSTROPHES = str.maketrans("’‘ëéèíóáñüö", "''eeeioanuo")

TOWNS = frozenset(
    """
    akron albany albuquerque alexandria allentown anchorage ann_arbor annapolis asheville athens atlanta augusta
    aurora austin bakersfield baltimore baton_rouge beaumont bedford beloit benton berea billings biloxi birmingham
    bismarck bloomington boise bossier_city boston boulder bowling_green bridgeport bronx brooklyn brownsville buffalo
    burlington cambridge camden canton cary cedar_rapids centerville chapel_hill charleston charlotte chattanooga
    cheyenne chicago chillicothe cincinnati clarksdale clarksville clearwater cleveland clinton college_park
    colorado_springs columbia columbus compton concord corpus_christi covington cuyahoga_falls dallas danville
    davenport dayton daytona_beach decatur delaware denver des_moines detroit dover dublin dubuque duluth durham
    east_st_louis elgin elizabeth elkhart elyria erie euclid eugene evanston evansville fairborn fairfield fargo
    fayetteville findlay flint florence fort_knox fort_lauderdale fort_wayne fort_worth frankfort franklin frederick
    fremont fresno gainesville galveston garland gary georgetown goldsboro grand_rapids green_bay greensboro
    greenville greenwood gulfport hamilton hammond hampton harlem harrisburg hartford hattiesburg helena henderson
    high_point hilliard hoboken hollywood honolulu houston huntsville huber_heights independence indianapolis
    iowa_city jackson jacksonville jamestown jefferson_city jersey_city joliet jonesboro joplin kalamazoo kansas_city
    kent kettering killeen kingston knoxville kokomo lafayette lake_charles lakewood lancaster lansing laredo
    las_vegas lawrence lawton lebanon lexington lima lincoln little_rock long_beach lorain los_angeles louisville
    lubbock lynchburg macon madison manchester mansfield marietta marion massillon memphis mentor meridian miami
    middletown milwaukee minneapolis mobile monroe montgomery morgantown muncie murfreesboro muskegon naples nashville
    natchez new_albany new_haven new_orleans new_york newark newport newport_news norfolk norman norwalk oakland ocala
    oklahoma_city omaha orlando oxford paducah parma pasadena paterson pensacola peoria petersburg philadelphia
    phoenix pine_bluff piqua pittsburgh pontiac port_arthur portland portsmouth providence provo queens racine raleigh
    reading reno richmond roanoke rochester rock_hill rockford rocky_mount sacramento saginaw salem salisbury
    salt_lake_city san_antonio san_diego san_francisco san_jose sandusky savannah scranton seattle selma
    shaker_heights shreveport sidney sioux_falls south_bend spartanburg spokane springboro springfield st_louis
    st_paul st_petersburg stamford staten_island steubenville stockton suffolk sumter syracuse tacoma tallahassee
    tampa terre_haute toledo topeka trenton trotwood troy tucson tulsa tupelo tuscaloosa urbana utica valdosta
    vandalia vicksburg virginia_beach waco warren washington waterloo westerville wheeling wichita wilmington
    winston-salem worcester xenia yellow_springs yonkers youngstown zanesville
    """.split()
)
# Towns of several words are written with “_” above.
A_TOWN = re.compile(
    r".+,? (?:A[KLRZ]|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|PA|RI|S[CD]|T[NX]|UT|V[AT]"
    r"|W[AIVY])\.?"
    r"|(?:Fort|Ft\.?|Mount|Mt\.?|Saint|St\.?|Port|New|Lake|San|Santa|Los|Las|El) [A-Z]\w+"
    r"|[A-Z]\w+ (?:City|Springs|Heights|Falls|Beach|Park|Grove|Rapids|Valley|Village|Township|County)"
    r"|[A-Z]\w+(?:ville|burgh?|boro|borough|haven|mouth)"
)


def is_person(text: str) -> bool:
    """Whether a text looks like a person's name: “Ann Lee”, “Rev. Otis Reed Jr.”, “J.D. Clemons”, “Ann”."""
    words = text.translate(APOSTROPHES).casefold().split()
    while words and words[0].rstrip(".") in TITLES:
        words = words[1:]
    if not 1 <= len(words) <= 5 or is_no_person(text):
        return False
    first = words[0].rstrip(".,")
    is_initial = len(words) > 1 and bool(INITIALS.fullmatch(words[0]))
    return first in FIRST_NAMES or is_initial or first.partition("-")[0] in FIRST_NAMES


def is_town(text: str) -> bool:
    """Whether a text is a known town, or looks like one: “Dayton”, “Lima, OH”, “Fort Wayne”."""
    return "_".join(text.casefold().replace(".", "").split()) in TOWNS or bool(A_TOWN.fullmatch(text))


def is_no_person(text: str) -> bool:
    """Whether a text has something that people's names never have: a number, or a word of teams and cards."""
    words = text.casefold().split()
    return not NEVER_IN_A_NAME.isdisjoint(words) or any(word[0].isdigit() for word in words)


def are_people(texts: Sequence[str]) -> bool:
    """Whether at least half of the texts look like people."""
    return bool(texts) and sum(map(is_person, texts)) * 2 >= len(texts)


def are_no_people(texts: Sequence[str]) -> bool:
    """Whether hardly any of the texts look like people."""
    return sum(map(is_person, texts)) * 8 <= len(texts)


def are_turned(before: Sequence[str], behind: Sequence[str]) -> bool:
    """Whether the texts after the commas are first names, and those before them are not."""
    return are_people(behind) and sum(map(is_person, before)) * 2 < sum(map(is_person, behind))


def are_towns(texts: Sequence[str]) -> bool:
    """Whether the texts are towns: known ones, or texts that recur."""
    known = sum(map(is_town, texts))
    different = {text.casefold() for text in texts}
    come_again = len(texts) > 3 and len(different) * 2 <= len(texts)
    return bool(texts) and (known * 2 >= len(texts) or come_again)


def people_in(text: str, *, in_a_row: bool = True) -> list[str]:
    """The people whom a piece names: “Nell Gaines / Otis Reed”, “A & B”, or a row “A, B and C”."""
    parts = [part.strip() for part in (PEOPLE_IN_A_ROW if in_a_row else PEOPLE).split(text) if part.strip()]
    return [text] if any(NO_PERSON.match(part) for part in parts) else parts


def turned(text: str) -> str:
    """Turn “Lee, Ann” into “Ann Lee”; leave any other text unchanged."""
    match = TURNED.fullmatch(text)
    return f"{match[2].strip()} {match[1].strip()}{match[3] or ''}" if match else text
