// What a review says in Chinese while a model does it.
import type { enRun } from './en-run.js';

export const zhRun: Readonly<Record<keyof typeof enRun, string>> = {
  'going.estimate': '共 {pages}{kept}；约 {tokens} 个 token 待发送{cached}{cost}',
  'going.kept': '，其中 {n} 页此前已有回答',
  'going.cached': '，其中约 {n} 个来自缓存',
  'going.about': '；读取约需 {cost}',
  'going.all-kept': '共 {pages}，此前都已有回答，不再发送（--fresh 可重新询问）',
  'going.done': '已完成 {done} / {pages}',
  'going.reviewed': '已审查 {done} / {pages}，舍弃 {left}。',
  'going.spent': '{calls}，输入 {input} token{cached}，输出 {output}{cost}。',
  'going.of-cache': '（其中 {n} 来自缓存）',
  'going.cost': '，费用 {cost}',
  'going.failed': '第 {page} 页失败（{code}）：{files}',
  'going.partial': '第 {page} 页只得到部分回答：{files}',
  'going.not-asked': '第 {page} 页没有询问（{code}）：{files}',
  'going.sheet': '第 {page} 页，连同系统提示 {tokens} 个 token{kept}',
  'going.sheet-kept': '，此前已有回答，不再发送',
  'going.system': '系统提示',
  'going.again': '重新运行即可补上缺少的页；已完成的会保留。',
};
