from tests.memory.recall.test_engine import *
from collections import Counter
async def test_mid(tmp_path, history):
    async with rooms(tmp_path, history) as memory:
        await memory.engine.ready.wait()
        await memory.put(*story(600))
    p=tmp_path/"memory.db"; whole=p.read_bytes()
    out=Counter()
    for page in range(0,len(whole)//4096,3):
        b=bytearray(whole); b[page*4096:(page+1)*4096]=b"\x55"*4096; p.write_bytes(b)
        try:
            async with rooms(tmp_path, history) as memory:
                try:
                    async with asyncio.timeout(1):
                        await memory.engine.ready.wait()
                except TimeoutError: out['never ready']+=1; 
                r=await memory.found("boat and iron"); out['found' if r else 'nothing']+=1
        except Exception as e: out[type(e).__name__+str(e)[:60]]+=1
    print(out)
