// Who speaks and acts in a Chinese text? A name stands at the beginning of a clause, before a verb of saying or doing; what else
// stands there is told apart by how often it does, by its first character and by what surrounds it elsewhere.

/** A name, and other forms of it where it is plain that they mean the same. */
export interface FoundName {
  readonly name: string;
  readonly aliases: readonly string[];
}

const list = (words: string) => words.split(' ');
const either = (words: readonly string[]) => [...words].sort((a, b) => b.length - a.length).join('|');

const surnames = new Set(
  '赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦许何吕施张孔曹严金魏陶姜戚谢邹喻苏潘葛范彭鲁韦马苗方俞任袁柳鲍史唐费岑薛雷贺倪汤滕殷罗毕郝邬安常乐于傅齐康伍余顾孟黄萧尹姚邵汪祁毛狄戴宋茅庞熊纪舒屈项祝董梁杜阮闵季贾江童颜郭梅盛林钟徐邱骆高夏蔡田樊胡凌霍虞万柯管卢莫丁邓洪包石崔吉龚程邢裴陆荣翁荀甄曲封储靳焦段侯全班仰仲宫宁仇甘武符刘景龙叶司黎白蒲邰赖卓蔺屠蒙池乔闻党翟谭贡姬申冉桑边燕温庄晏柴瞿阎慕连习艾容向古易廖庾步都耿满匡文寇广阙东欧沃利蔚越隆师巩聂晁敖冷辛那简饶曾关蒯相查红游竺权盖益桓公尤詹冼岳帅况肖'.match(
    /./gu,
  ),
);
const doubleSurname =
  /^(?:欧阳|上官|司马|诸葛|夏侯|东方|皇甫|尉迟|公孙|慕容|令狐|宇文|长孙|司徒|司空|南宫|独孤|端木|西门|百里|轩辕|太史|澹台|淳于|单于|申屠|公羊|钟离)/u;

const saying = either(
  list(
    '说道 笑道 问道 答道 叫道 喊道 骂道 叹道 哭道 喝道 回道 怒道 冷笑道 低声道 轻声道 大怒曰 大笑曰 大喜曰 大惊曰 叹曰 笑曰 问曰 答曰 怒曰 喝曰 谓曰 道 说 问 曰 喊 笑着说 点头 摇头 摇了摇头 点了点头 叹了口气 皱眉 沉默 笑了笑 回答',
  ),
);
const doing = either(
  list(
    '听了 听见 听说 听得 听罢 听毕 见了 见他 见是 看见 看了 看着 望着 笑着 想了 想起 想到 心中 心里 走到 走进 走过 走来 站起 坐在 坐下 伸手 转身 抬头 低头 回头 大怒 大喜 大惊 大笑 大哭 不敢 不答 知道 觉得 拉着 拿着 拿起 从之 引兵 领兵 引军 上马 回来 出来 进来 起身 忍不住 没有',
  ),
);
const adverb = `(?:${either(
  list(
    '便 忙 又 也 因 就 只 才 都 还 却 遂 乃 即 亦 方 已 正 再 连忙 赶忙 急忙 慌忙 忽然 突然 一面 不觉 不禁 不由 冷冷地 轻轻地 轻声 低声 高声 厉声 大声 悄悄 悄悄地 因此 于是 微微 微 冷 苦 含笑 陪笑 赔笑 道 在旁 终于 仍 仍然 早 早已 从 向 对 拍手 点头 摇头 一边 忙又 便又 自 先 大 惊 忙着 立即 立刻 果然 此时 这时 顿时',
  ),
)})`;
/** What may stand before a name at the beginning of a clause. */
const lead = either(
  list(
    '只见 却说 且说 话说 原来 忽见 忽听 一时 这里 那边 说着 于是 因此 只听 但见 谁知 接着 当下 此时 这时 那时 不料 正说 正说着 那知 岂知 如今 今日 次日 早有 惟有 唯有 只有 还有 只得 因见 忽有 忽报 旁边 随后 后来 那 这 见 听 却 但 可 而 因 被 把 对 向 和 与 同 跟 叫 问 是 请 让 给 连',
  ),
);
const speakers = new RegExp(
  `(?<=^|[\\s，。！？；：、．”"」』…—（）)(,.!?;:])(?:${lead})?(\\p{sc=Han}{2,4}?)${adverb}{0,2}(?:(${saying})(?=[：:，,。“"「（\\s]|道|了|着)|(${doing}))`,
  'gmu',
);

/** Stands in no name, or names nobody in particular. */
const never =
  /[我你您他她它们这那哪的了着过是不在没很么吗呢吧啊呀把被给让且而但即若虽与和跟或及之其此彼每各某些几只便又也都还就才却再已将会能可该要想说道问答笑哭喊叫听看见知觉得走来去进出起坐站拿打从向对因为所以如何怎谁何皆等奏曰众]/u;
const nobody = new RegExp(
  `^(?:${either(
    list(
      '众人 大家 两人 二人 三人 四人 一人 有人 人人 别人 旁人 老人 男人 女人 少年 青年 少女 女子 男子 女孩 男孩 孩子 丫头 丫鬟 小丫头 婆子 媳妇 姑娘 小厮 老婆 老婆子 众将 众官 百官 群臣 左右 军士 小校 士兵 官兵 军兵 医生 护士 司机 老板 老师 同学 先生 太太 小姐 夫人 老爷 奶奶 爷爷 母亲 父亲 妈妈 爸爸 哥哥 姐姐 弟弟 妹妹 儿子 女儿 丈夫 妻子 朋友 道士 和尚 行人 路人 客人 主人 仆人 店家 店小二 掌柜 一面 一边 心中 心里 口中 嘴里 手中 半晌 良久 许久 片刻 忽然 突然 终于 此刻 今日 明日 昨日 今天 明天 昨天 晚上 早上 一声 一句 大声 低声 声音 眼睛 目光 脸上 自己 自家 本人 一时 一会 一会儿 当时 当日 次日 后来 外面 里面 里头 外头 上面 下面 前面 后面 前日 身边 门外 屋里 帐下 阵中 城上 城中 马上 大惊 大怒 大喜 大笑 正在 不敢 连忙 急忙 慌忙 果然 如今 原来 其人 诸将 诸公 诸人 使者 来人 来使 探子 探马 小人 下人 家人 老者 使女 宫女 太监 内侍 小妖 群妖 众妖 众僧 众神 老妖 妖精 老魔 妖魔 魔王 老僧 僧人 那怪 群猴 土地 天子 皇帝 陛下 国王 太子 皇后 公主 将军 大人 师父 师傅 徒弟 老道 头领 喽罗 喽啰 庄客 店主 公人 差人 土人 壮士 童子 小童 小卒 老尼 女尼 尼姑 姑子 门子 书办 太医 近臣 勉强 自古 俗语 旨意 妇人 太公 大汉 酒保 太尉 员外 娘子 军师 酒家 回头 点头 摇头 分付 吩咐 口里 口内 商议 个人 然后 长老 淫妇 嘴里 只听 旁边 门口 电话 对方 警察 队长 经理 局长 主任 记者 教授 校长 班长 同志 战士 敌人 群众 村民 乡亲',
    ),
  )})(?:们|儿)?$`,
  'u',
);
const numbered = /^(?:第|[一二两三四五六七八九十百千万])/u;
const called = (name: string) =>
  (name.length === 2 && name.startsWith('老') && surnames.has(name[1] ?? '')) ||
  /^阿\p{sc=Han}{1,2}$/u.test(name);
const titled =
  /^\p{sc=Han}{1,2}(?:先生|太太|小姐|夫人|老师|师傅|大人|将军|公子|姑娘|姨妈|姨娘|婆婆|嬷嬷|奶奶|哥|姐|姐儿|嫂|嫂子|叔|婶|伯|姨|妈|总|董|局|队|母|公|氏|妃|道人|真人|和尚|师太|娘子|丞相)$/u;
/** Ends a clause that begins with a single character for a name: 操大怒. */
const reaction = /[大喜怒惊忙急略]$/u;

const leastSpoken = 3;
/** A surname stands before so many of the given names, or it is a word of the sentence. */
const leastShare = 0.04;
/** Surnames that are words as well: alone they say nothing. */
const doubtful = new Set(
  '于连闻那边都全相向满师公越利益况权盖查容易常高安方白金石文万温古东乐管游广应齐'.match(/./gu),
);
/** These stand before other people's names. */
const notBefore = new Set(['马', '王', '余', '史', '武', ...doubtful]);
/** Of all places where a name stands, how many begin a clause in which somebody speaks or acts. */
const leastLeading = { surnamed: 0.02, actor: 0.05, other: 0.12 } as const;
const leastDone = 5;

export function chineseNames(texts: readonly string[]): FoundName[] {
  const spoken = new Map<string, number>();
  const acted = new Map<string, number>();
  const add = (counts: Map<string, number>, name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);
  for (const text of texts)
    for (const [, name = '', said] of text.matchAll(speakers)) {
      if (!isLikeName(name)) continue;
      add(said === undefined ? acted : spoken, name);
    }
  const said = (name: string) => spoken.get(name) ?? 0;
  const did = (name: string) => acted.get(name) ?? 0;
  const weight = (name: string) => said(name) * 2 + did(name);
  const frequent = [...spoken.keys()].filter((name) => said(name) >= leastSpoken - 1);
  const counts = countsOf(frequent, texts);
  const names = frequent.filter((name) => {
    const leading = (said(name) + did(name)) / (counts.get(name) ?? 1);
    if (isSurnamed(name)) return leading >= leastLeading.surnamed;
    const isSpeaker = said(name) >= leastSpoken && did(name) > 0 && leading >= leastLeading.other;
    const isActor = did(name) >= leastDone && leading >= leastLeading.actor;
    return (isSpeaker || isActor) && !reaction.test(name);
  });
  const whole = names.filter((name) => !isPartOfClause(name, names, weight));
  return joined(whole, texts);
}

function isLikeName(name: string): boolean {
  return !never.test(name) && !nobody.test(name) && !numbered.test(name);
}

function isSurnamed(name: string): boolean {
  const [first = ''] = name;
  const isPlain = surnames.has(first) && !doubtful.has(first) && name.length <= 3;
  return isPlain || doubleSurname.test(name) || called(name);
}

/** A name with a word before or behind it that is no part of it. */
function isPartOfClause(name: string, names: readonly string[], weight: (name: string) => number): boolean {
  return names.some((other) => {
    if (other === name || other.length >= name.length || !name.includes(other)) return false;
    const isStronger = weight(other) > 4 * weight(name);
    if (name.endsWith(other)) {
      const before = name.slice(0, -other.length);
      return isStronger && !surnames.has(before) && !doubleSurname.test(name);
    }
    return isStronger && !name.endsWith('儿') && !titled.test(name);
  });
}

/** 宝玉 and 贾宝玉, 凤姐 and 凤姐儿 are one, where only one fits. */
function joined(names: readonly string[], texts: readonly string[]): FoundName[] {
  const full = fullNames(names, texts);
  const owner = new Map<string, string>();
  for (const name of [...names, ...full.keys()]) {
    const longer = [...new Set([...names, ...full.keys()])].filter((other) => isLonger(other, name));
    if (longer.length === 1 && longer[0] !== undefined) owner.set(name, longer[0]);
  }
  const rootOf = (name: string): string => {
    const next = owner.get(name);
    return next === undefined ? name : rootOf(next);
  };
  const groups = new Map<string, string[]>();
  for (const name of new Set([...names, ...full.keys()])) {
    const root = rootOf(name);
    groups.set(root, [...(groups.get(root) ?? []), name]);
  }
  return [...groups].map(([root, all]) => {
    // 凤姐儿 is called 凤姐; 贾宝玉 keeps the surname.
    const plain = all.find((name) => root === `${name}儿`) ?? root;
    return { name: plain, aliases: all.filter((name) => name !== plain) };
  });
}

function isLonger(other: string, name: string): boolean {
  if (other === `${name}儿`) return true;
  if (name.length !== 2 || called(name) || titled.test(name)) return false;
  const before = other.slice(0, -name.length);
  return (
    other.endsWith(name) &&
    ((before.length === 1 && surnames.has(before)) || (before.length === 2 && doubleSurname.test(other)))
  );
}

/** Surnames that stand right before given names often enough to belong to them. */
function fullNames(names: readonly string[], texts: readonly string[]): Map<string, number> {
  const given = new Set(names.filter((name) => name.length === 2 && !titled.test(name) && !called(name)));
  const found = new Map<string, number>();
  if (given.size === 0) return found;
  const pattern = new RegExp(`(\\p{sc=Han})(${either([...given])})`, 'gu');
  for (const text of texts)
    for (const [name, before = ''] of text.matchAll(pattern))
      if (surnames.has(before) && !notBefore.has(before)) found.set(name, (found.get(name) ?? 0) + 1);
  const plain = countsOf([...given], texts);
  for (const [name, count] of found)
    if (count < leastSpoken || count < leastShare * (plain.get(name.slice(1)) ?? 0) || never.test(name))
      found.delete(name);
  return found;
}

function countsOf(names: readonly string[], texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  if (names.length === 0) return counts;
  const pattern = new RegExp(either(names), 'gu');
  for (const text of texts)
    for (const [name] of text.matchAll(pattern)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
