package ocf_test
import ("testing";"time";"fmt";"strconv";"strings")
func TestZZ(t *testing.T){
 run:=func(name string,p *parcel){ f:=p.files(); n:=0; for _,x:=range f{n+=len(x.Data)}; t0:=time.Now(); w:=setup(t); fi:=w.take(f); fmt.Println(name,n>>10,"KB",time.Since(t0),"refusals",len(fi.Refusals()), func()string{ if r:=refusals(fi);len(r)>0{return r[0]};return ""}()) }
 p:=sound(); N:=30000
 p.transactions=append(p.transactions, issue("x0","2024-01-01","ada","common","1"))
 for i:=N;i>0;i--{ p.transactions=append(p.transactions, tx("STOCK_TRANSFER","x"+strconv.Itoa(i-1),"2024-01-01",`"quantity":"1","resulting_security_ids":["x`+strconv.Itoa(i)+`"]`), issue("x"+strconv.Itoa(i),"2024-01-01","ada","common","1")) }
 run("chain",p)
 p=sound(); p.classes[0]=class("common","COMMON","100000000","1")
 for i:=range 40000{ p.transactions=append(p.transactions, issue("x"+strconv.Itoa(i),"2024-01-01","ada","common","1",`"custom_id":"SAME"`)) }
 run("certs",p)
 p=sound(); p.classes[0]=class("common","COMMON","100000000","1"); var ids []string
 for i:=range 40000{ p.transactions=append(p.transactions, issue("x"+strconv.Itoa(i),"2024-01-01","ada","common","1")); ids=append(ids,`"x`+strconv.Itoa(i)+`"`) }
 p.transactions=append(p.transactions, object(`"id":"c","object_type":"TX_STOCK_CONSOLIDATION","date":"2024-02-01","security_ids":[`+strings.Join(ids,",")+`],"resulting_security_id":"all"`,nil), issue("all","2024-02-01","ada","common","40000"))
 run("consolidation",p)
 p=sound(); p.classes[0]=class("common","COMMON","100000000","1")
 for i:=range 20000{ p.transactions=append(p.transactions, issue("x"+strconv.Itoa(i),"2024-01-01","ada","common","1")) }
 for i:=range 500{ p.transactions=append(p.transactions, split("s"+strconv.Itoa(i),"common","2024-02-01","1","1")) }
 run("splits",p)
 p=sound()
 for i:=range 5000{ p.transactions=append(p.transactions, object(`"id":"a`+strconv.Itoa(i)+`","object_type":"TX_STOCK_CLASS_AUTHORIZED_SHARES_ADJUSTMENT","date":"2024-02-01","stock_class_id":"common","new_shares_authorized":"1000"`,nil)) }
 run("limits",p)
 p=sound(); deep:=strings.Repeat(`{"a":`,9000)+"1"+strings.Repeat("}",9000)
 for i:=range 300{ p.transactions=append(p.transactions, `{"id":"d`+strconv.Itoa(i)+`","object_type":"TX_VESTING_EVENT","date":"2024-02-01","security_id":"one","x":`+deep+`}`) }
 run("deep",p)
 p=sound(); 
 for i:=range 60000{ p.transactions=append(p.transactions, issue("x"+strconv.Itoa(i),"2024-01-01","ada","common","1000")) }
 run("over-issues",p)
}
