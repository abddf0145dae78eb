// What a caller reads when a source of a layer gives no answer. The assembly goes on without it.
import type { Warning } from '../../core/model/error.js';

const outage = (code: string, text: string): Warning => ({ code, message: `${code}: ${text}` });

export const outages = {
  constraints: outage('CONSTRAINTS_UNAVAILABLE', '创作约束未注入'),
  entities: outage('KG_UNAVAILABLE', '知识图谱数据未注入'),
  memory: outage('MEMORY_UNAVAILABLE', '记忆数据未注入'),
  settings: outage('SETTINGS_UNAVAILABLE', '项目设定未注入'),
  summaries: outage('SUMMARY_UNAVAILABLE', '近期摘要未注入'),
  story: outage('STORY_UNAVAILABLE', '故事梗概与上一章结尾未注入'),
  retrieval: outage('RETRIEVAL_UNAVAILABLE', '检索片段未注入'),
  embeddings: outage('EMBEDDINGS_UNAVAILABLE', '语义检索不可用，仅按字词检索'),
  document: outage('DOCUMENT_UNAVAILABLE', '当前章节内容未注入'),
} as const;
