import type { en } from './en.js';

export const zh: Readonly<Record<keyof typeof en, string>> = {
  again: '重试',
  close: '关闭',
  copy: '复制',
  copied: '已复制',
  loading: '加载中……',
  'nav.agents': '智能体',
  'nav.label': '视图',
  'nav.nothing': '此地址没有内容。',
  'nav.projects': '项目',
  'nav.review': '评审',
  'nav.runs': '运行记录',
  'nav.sent': '发送内容',
  'nav.skip': '跳到正文',
  'nav.write': '写作',
  'start.asking': '请稍候……',
  'start.closed': '此浏览器未获准进入，或 Cookie 已丢失。请在项目文件夹中运行：',
  'start.cookies':
    '此浏览器关闭了 Cookie，而进入本页需要它。请允许 127.0.0.1 使用 Cookie，再在项目文件夹中运行：',
  'start.offline': 'Galley 没有响应。如果已结束，请在项目文件夹中重新启动：',
  'trouble.page': '页面遇到了意外情况。',
  'trouble.stale': 'Galley 在页面打开期间有更新。请重新启动，然后刷新页面。',
};
